package contract

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// isWeb reports whether a URL is an http or https one.
func isWeb(raw string) bool { return schemeLength([]byte(raw)) > 0 }

// unseen takes away what a browser drops from a URL (WHATWG URL, 4.4).
var unseen = strings.NewReplacer("\t", "", "\n", "", "\r", "")

// scheme returns the scheme of a URL in lower case, as a browser reads it; ""
// when it has none.
func scheme(raw string) string {
	name, _, found := strings.Cut(raw, ":")
	name = strings.ToLower(strings.TrimSpace(unseen.Replace(name)))
	if !found || name == "" || !isLetter(name[0]) || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789+-.") != "" {
		return ""
	}
	return name
}

// hasForbiddenScheme reports whether a URL has a scheme that is not http or https.
func hasForbiddenScheme(raw string) bool {
	name := scheme(raw)
	return name != "" && name != "http" && name != "https"
}

// address is a URL taken apart for the rules.
type address struct {
	host     string // lower case, ASCII, without port, brackets and trailing dot
	ip       netip.Addr
	userinfo bool
	// number: the host is an IPv4 address in a spelling that is not dotted decimal.
	number bool
}

// maxHost is the longest name that DNS can ask for, in bytes (RFC 1035, 2.3.4). It
// bounds punycode as well, which is quadratic in the length of a label.
const maxHost = 253

// parseURL takes a web URL apart; ok is false when it does not parse or has no
// host.
func parseURL(raw string) (address, bool) {
	parsed, err := url.Parse(raw)
	if err != nil || strings.ContainsAny(raw, " \t\n\r\\<>\"`") || len(parsed.Hostname()) > maxHost*utf8.UTFMax {
		return address{}, false
	}
	if port := parsed.Port(); port != "" {
		if _, err := strconv.ParseUint(port, 10, 16); err != nil {
			return address{}, false
		}
	}
	a := address{host: hostName(parsed.Hostname()), userinfo: parsed.User != nil}
	if a.host == "" || len(a.host) > maxHost {
		return address{}, false
	}
	a.ip, a.number = hostAddress(a.host)
	return a, true
}

// hostProfile maps a host as a browser does before it looks it up (UTS #46), so
// that full-width and circled letters are what they become.
var hostProfile = idna.New(idna.MapForLookup(), idna.StrictDomainName(false))

// hostName returns the form of a host that rules compare; "" when it has none.
func hostName(host string) string {
	if ascii, err := hostProfile.ToASCII(host); err == nil {
		host = ascii
	}
	return strings.TrimRight(strings.ToLower(host), ".")
}

// hostAddress returns the address that a host is written as, if it is one, and
// whether it is spelled as a number: in hexadecimal, in octal, or in fewer parts
// than four, all of which the system's resolver accepts.
func hostAddress(host string) (ip netip.Addr, number bool) {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.WithZone("").Unmap(), false
	}
	parts := strings.Split(host, ".")
	if !endsInNumber(parts[len(parts)-1]) {
		return netip.Addr{}, false
	}
	return numericAddress(parts), true
}

// endsInNumber reports whether a last label makes a host an IPv4 address or
// nothing (WHATWG URL, 3.5).
func endsInNumber(label string) bool {
	_, ok := parseNumber(label)
	return ok || label != "" && strings.Trim(label, "0123456789") == ""
}

// numericAddress reads an address as inet_aton does: the last of up to four
// numbers fills the bytes that are left. It is the zero Addr when they do not fit.
func numericAddress(parts []string) netip.Addr {
	if len(parts) > 4 {
		return netip.Addr{}
	}
	var value uint64
	for i, part := range parts {
		n, ok := parseNumber(part)
		bits := 8
		if last := i == len(parts)-1; last {
			bits = 8 * (5 - len(parts))
		}
		if !ok || n >= 1<<bits {
			return netip.Addr{}
		}
		value = value<<bits | n
	}
	return netip.AddrFrom4([4]byte{byte(value >> 24), byte(value >> 16), byte(value >> 8), byte(value)})
}

// parseNumber reads a decimal, 0-octal or 0x-hexadecimal number.
func parseNumber(s string) (uint64, bool) {
	if s == "0x" {
		return 0, true
	}
	base := 10
	switch {
	case strings.HasPrefix(s, "0x"):
		s, base = s[2:], 16
	case len(s) > 1 && s[0] == '0':
		s, base = s[1:], 8
	}
	n, err := strconv.ParseUint(s, base, 64)
	return n, err == nil
}

// placeholderHosts are the hosts that models invent sources on.
var placeholderHosts = []string{"example.com", "example.org", "example.net", "foo.com", "bar.com", "your-source.com"}

// privateNames are the names that only a local network or machine resolves.
var privateNames = []string{"localhost", "localdomain", "local", "internal", "home.arpa"}

// privateNets are the networks that are not the public web, beyond those that
// netip knows: carrier-grade NAT, "this" network and the IPv6 prefixes that
// carry an IPv4 address inside.
var privateNets = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"),
	netip.MustParsePrefix("100.64.0.0/10"),
	netip.MustParsePrefix("255.255.255.255/32"),
	netip.MustParsePrefix("::/96"),
	netip.MustParsePrefix("64:ff9b::/96"),
	netip.MustParsePrefix("fec0::/10"),
}

var sixToFour = netip.MustParsePrefix("2002::/16")

// isUnder reports whether a host is one of the names or below one.
func isUnder(host string, names []string) bool {
	for _, name := range names {
		if host == name || strings.HasSuffix(host, "."+name) {
			return true
		}
	}
	return false
}

// private reports whether an address is not on the public web.
func (a address) private() bool {
	if !a.ip.IsValid() {
		return isUnder(a.host, privateNames)
	}
	if sixToFour.Contains(a.ip) { // RFC 3056: the next 32 bits are an IPv4 address
		bytes := a.ip.As16()
		return address{ip: netip.AddrFrom4([4]byte(bytes[2:6]))}.private()
	}
	for _, net := range privateNets {
		if net.Contains(a.ip) {
			return true
		}
	}
	return a.ip.IsPrivate() || a.ip.IsLoopback() || a.ip.IsUnspecified() ||
		a.ip.IsLinkLocalUnicast() || a.ip.IsMulticast()
}

// placeholderTokens are what models write where a URL should be.
var placeholderTokens = []string{"...", "todo", "placeholder", "your-source"}

// placeholderToken returns the first token that a URL holds, in any letter case.
func placeholderToken(raw string) (string, bool) {
	lower := strings.ToLower(raw)
	for _, token := range placeholderTokens {
		if strings.Contains(lower, token) {
			return token, true
		}
	}
	return "", false
}
