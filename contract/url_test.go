package contract

import (
	"strings"
	"testing"
)

func TestParseURL(t *testing.T) {
	for _, test := range []struct {
		reason, url, host string
		number, private   bool
	}{
		{reason: "a name", url: "https://go.dev/doc", host: "go.dev"},
		{reason: "the host in lower case", url: "https://GO.Dev/Doc", host: "go.dev"},
		{reason: "without the port", url: "https://go.dev:443", host: "go.dev"},
		{reason: "without trailing dots", url: "https://go.dev../", host: "go.dev"},
		{reason: "an international name in ASCII", url: "https://bücher.de/", host: "xn--bcher-kva.de"},
		{reason: "full-width letters are what they become", url: "https://ｇｏ.dev/", host: "go.dev"},
		{reason: "an ideographic stop is a dot", url: "https://go。dev/", host: "go.dev"},
		{reason: "an underscore, which names have in practice", url: "https://a_b.go.dev/", host: "a_b.go.dev"},
		{reason: "a hyphen at the end of a label", url: "https://a-.go.dev/", host: "a-.go.dev"},
		{reason: "a public address", url: "http://8.8.8.8/", host: "8.8.8.8"},
		{reason: "a public IPv6 address", url: "http://[2001:4860:4860::8888]/", host: "2001:4860:4860::8888"},
		{reason: "a name that begins with a number", url: "https://1.1.1.1.example/", host: "1.1.1.1.example"},

		{reason: "localhost", url: "http://localhost/", host: "localhost", private: true},
		{reason: "in capitals, with a port", url: "http://LocalHost:3000/", host: "localhost", private: true},
		{reason: "with a trailing dot", url: "http://localhost./", host: "localhost", private: true},
		{reason: "below localhost (RFC 6761)", url: "http://a.localhost/", host: "a.localhost", private: true},
		{reason: "a soft hyphen is not seen", url: "http://local\u00adhost/", host: "localhost", private: true},
		{reason: "a name that only ends like it", url: "http://mylocalhost.dev/", host: "mylocalhost.dev"},
		{reason: "the cloud's metadata by name", url: "http://metadata.google.internal/", host: "metadata.google.internal", private: true},
		{reason: "multicast DNS", url: "http://printer.local/", host: "printer.local", private: true},

		{reason: "loopback", url: "http://127.0.0.1/", host: "127.0.0.1", private: true},
		{reason: "all of 127/8", url: "http://127.255.1.2/", host: "127.255.1.2", private: true},
		{reason: "in circled digits", url: "http://①②⑦.⓪.⓪.①/", host: "127.0.0.1", private: true},
		{reason: "unspecified", url: "http://0.0.0.0/", host: "0.0.0.0", private: true},
		{reason: "this network", url: "http://0.1.2.3/", host: "0.1.2.3", private: true},
		{reason: "cloud metadata", url: "http://169.254.169.254/", host: "169.254.169.254", private: true},
		{reason: "10/8", url: "http://10.0.0.1/", host: "10.0.0.1", private: true},
		{reason: "172.16/12, its first", url: "http://172.16.0.0/", host: "172.16.0.0", private: true},
		{reason: "172.16/12, its last", url: "http://172.31.255.255/", host: "172.31.255.255", private: true},
		{reason: "below 172.16/12", url: "http://172.15.255.255/", host: "172.15.255.255"},
		{reason: "above 172.16/12", url: "http://172.32.0.0/", host: "172.32.0.0"},
		{reason: "192.168/16", url: "http://192.168.1.1/", host: "192.168.1.1", private: true},
		{reason: "carrier-grade NAT", url: "http://100.64.0.1/", host: "100.64.0.1", private: true},
		{reason: "loopback inside 6to4", url: "http://[2002:7f00:1::]/", host: "2002:7f00:1::", private: true},
		{reason: "a public address inside 6to4", url: "http://[2002:808:808::]/", host: "2002:808:808::"},
		{reason: "IPv6 loopback", url: "http://[::1]/", host: "::1", private: true},
		{reason: "written out", url: "http://[0:0:0:0:0:0:0:1]/", host: "0:0:0:0:0:0:0:1", private: true},
		{reason: "IPv6 unspecified", url: "http://[::]/", host: "::", private: true},
		{reason: "unique local", url: "http://[fd00::1]/", host: "fd00::1", private: true},
		{reason: "link local", url: "http://[fe80::1]/", host: "fe80::1", private: true},
		{reason: "link local with a zone", url: "http://[fe80::1%25eth0]/", host: "fe80::1%eth0", private: true},
		{reason: "IPv4 in IPv6", url: "http://[::ffff:127.0.0.1]/", host: "::ffff:127.0.0.1", private: true},
		{reason: "in hexadecimal", url: "http://[::FFFF:7F00:1]/", host: "::ffff:7f00:1", private: true},
		{reason: "IPv4-compatible", url: "http://[::7f00:1]/", host: "::7f00:1", private: true},
		{reason: "behind NAT64", url: "http://[64:ff9b::7f00:1]/", host: "64:ff9b::7f00:1", private: true},

		{reason: "one number", url: "http://2130706433/", host: "2130706433", number: true, private: true},
		{reason: "one octal number", url: "http://017700000001/", host: "017700000001", number: true, private: true},
		{reason: "one hexadecimal number", url: "http://0x7F000001/", host: "0x7f000001", number: true, private: true},
		{reason: "two parts", url: "http://127.1/", host: "127.1", number: true, private: true},
		{reason: "three parts", url: "http://192.168.257/", host: "192.168.257", number: true, private: true},
		{reason: "an octal part", url: "http://0177.0.0.1/", host: "0177.0.0.1", number: true, private: true},
		{reason: "a hexadecimal part", url: "http://127.0.0.0x1/", host: "127.0.0.0x1", number: true, private: true},
		{reason: "nought", url: "http://0/", host: "0", number: true, private: true},
		{reason: "a hexadecimal number without digits is nought", url: "http://0x/", host: "0x", number: true, private: true},
		{reason: "a public one", url: "http://134744072/", host: "134744072", number: true},
		{reason: "too large for an address", url: "http://4294967296/", host: "4294967296", number: true},
	} {
		t.Run(test.reason, func(t *testing.T) {
			got, ok := parseURL(test.url)
			if !ok || got.host != test.host || got.number != test.number || got.private() != test.private {
				t.Errorf("parseURL(%q) = %+v private %t, %t\nwant %+v", test.url, got, got.private(), ok, test)
			}
		})
	}
}

func TestParseURLRefuses(t *testing.T) {
	for _, url := range []string{
		"", "go.dev", "https:", "https://", "https:///", "https://:80/", "https://./", "https://?a", "https://#a",
		"https://go.dev:http/", "https://go.dev:-1/", "https://go.dev:65536/", "https://go.dev:80:80/",
		"https://[::1/", "https://::1/", "https://[go.dev]/", "https://go.dev%2e/", "https://%zz/",
		"https://go.dev/ a", "https://go.dev/\ta", "https://go.dev/\na", `https://go.dev\a`, "https://go.dev/<a",
		"https://go.dev/`a`", "https://{host}/", "https://go dev/", "https://" + strings.Repeat("a", 254) + "/",
		"https://" + strings.Repeat("ü", 2000) + ".de/",
	} {
		if got, ok := parseURL(url); ok {
			t.Errorf("parseURL(%q) = %+v", url, got)
		}
	}
}

func TestScheme(t *testing.T) {
	for _, test := range []struct{ url, scheme string }{
		{"https://go.dev", "https"}, {"HTTP://go.dev", "http"}, {"https:go.dev", "https"},
		{"javascript:x", "javascript"}, {"JaVaScript:x", "javascript"}, {" javascript:x", "javascript"},
		{"java\tscript:x", "javascript"}, {"java\nscript:x", "javascript"}, {"view-source:https://go.dev", "view-source"},
		{"//go.dev", ""}, {"/a:b", ""}, {"a b:c", ""}, {"", ""}, {":", ""}, {"1a:b", ""}, {"#a:b", ""}, {"?a:b", ""},
	} {
		if got := scheme(test.url); got != test.scheme {
			t.Errorf("scheme(%q) = %q, want %q", test.url, got, test.scheme)
		}
	}
}
