package runner

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gemini-search/answer"
	"gemini-search/fixtures/realcli"
)

// TestSignInReachesTheCLI: for each kind of sign-in that a key decides, the real
// CLI in its private home calls the API with the user's key.
func TestSignInReachesTheCLI(t *testing.T) {
	cli := realcli.Require(t)
	tests := []struct {
		name    string
		prepare func(t *testing.T, gemini string) // fills ~/.gemini
		environ func(url string) []string
		path    string // of the calls
	}{
		{
			name:    "a key in the environment",
			prepare: func(*testing.T, string) {},
			environ: func(url string) []string { return []string{"GEMINI_API_KEY=anything", "GOOGLE_GEMINI_BASE_URL=" + url} },
			path:    "/v1beta/models/",
		},
		{
			name: "a key in ~/.gemini/.env",
			prepare: func(t *testing.T, gemini string) {
				write(t, filepath.Join(gemini, ".env"), "GEMINI_API_KEY=\"anything\"\n")
			},
			environ: func(url string) []string { return []string{"GOOGLE_GEMINI_BASE_URL=" + url} },
			path:    "/v1beta/models/",
		},
		{
			name: "a key that gemini saved, in its encrypted file",
			prepare: func(t *testing.T, gemini string) {
				write(t, filepath.Join(gemini, "settings.json"), `{"security":{"auth":{"selectedType":"gemini-api-key"}}}`)
				saveKey(t, filepath.Join(gemini, "gemini-credentials.json"), "anything")
			},
			environ: func(url string) []string { return []string{"GOOGLE_GEMINI_BASE_URL=" + url} },
			path:    "/v1beta/models/",
		},
		{
			name: "Vertex AI with a key",
			prepare: func(t *testing.T, gemini string) {
				write(t, filepath.Join(gemini, "settings.json"), `{"security":{"auth":{"selectedType":"vertex-ai"}}}`)
			},
			environ: func(url string) []string {
				return []string{"GOOGLE_API_KEY=anything", "GOOGLE_GENAI_USE_VERTEXAI=true", "GOOGLE_VERTEX_BASE_URL=" + url}
			},
			path: "/v1beta1/publishers/google/models/",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if strings.Contains(test.name, "encrypted file") && olderThan(t, cli, "0.45.0") {
				t.Skip("0.41.2 keeps a key in another form")
			}
			t.Parallel()
			api := scripted(t)
			home := t.TempDir()
			test.prepare(t, filepath.Join(home, ".gemini"))
			o := options(t, cli.Binary)
			o.Environ = append(test.environ(api.URL), "PATH="+os.Getenv("PATH"), "HOME="+home, "XDG_RUNTIME_DIR="+home)
			if _, err := Search(t.Context(), "latest go", o); err != nil {
				t.Errorf("%v: %+v", err, err)
			}
			for _, request := range api.Requests() {
				if key := request.Header.Get("X-Goog-Api-Key"); key != "anything" || !strings.HasPrefix(request.Path, test.path) {
					t.Errorf("%s was called with the key %q", request.Path, key)
				}
			}
		})
	}
}

// saveKey writes the file in which the CLI keeps a key where there is no
// keychain: AES-256-GCM under a key made from the names of machine and user.
func saveKey(t *testing.T, path, key string) {
	script := `
const crypto = require("crypto"), fs = require("fs"), os = require("os");
const secret = crypto.scryptSync("gemini-cli-oauth", os.hostname() + "-" + os.userInfo().username + "-gemini-cli", 32);
const token = JSON.stringify({ serverName: "default-api-key", token: { accessToken: process.argv[2], tokenType: "ApiKey" }, updatedAt: Date.now() });
const iv = crypto.randomBytes(12), cipher = crypto.createCipheriv("aes-256-gcm", secret, iv);
const text = cipher.update(JSON.stringify({ "gemini-cli-api-key": { "default-api-key": token } }), "utf8", "hex") + cipher.final("hex");
fs.writeFileSync(process.argv[1], [iv.toString("hex"), cipher.getAuthTag().toString("hex"), text].join(":"));`
	if output, err := exec.Command("node", "-e", script, path, key).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
}

// TestRefreshedTokenReachesTheUser: Code Assist. The access token is expired;
// the CLI fetches a new one, and the user's own file has it when the private home
// is gone.
func TestRefreshedTokenReachesTheUser(t *testing.T) {
	cli := realcli.Require(t)
	var refreshes atomic.Int32
	google, authority := fakeGoogle(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Host != "oauth2.googleapis.com" || r.URL.Path != "/token" {
			http.Error(w, `{"error":{"code":403,"message":"the test ends here"}}`, http.StatusForbidden)
			return
		}
		refreshes.Add(1)
		w.Header().Set("Content-Type", "application/json")
		w.Write([]byte(`{"access_token":"fresh","expires_in":3600,"token_type":"Bearer","scope":"openid"}`))
	})
	proxy := recorder(t)
	for _, host := range []string{"oauth2.googleapis.com", "cloudcode-pa.googleapis.com", "www.googleapis.com"} {
		proxy.StandIn(host+":443", google.Listener.Addr().String())
	}
	home := t.TempDir()
	credentials := filepath.Join(home, ".gemini", "oauth_creds.json")
	write(t, filepath.Join(home, ".gemini", "settings.json"), `{"security":{"auth":{"selectedType":"oauth-personal"}}}`)
	write(t, credentials, `{"access_token":"old","refresh_token":"keep","token_type":"Bearer","expiry_date":1000}`)
	o := options(t, cli.Binary)
	o.Timeout = 10 * time.Second
	o.Environ = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "XDG_RUNTIME_DIR=" + home, "HTTPS_PROXY=" + proxy.URL, "NODE_EXTRA_CA_CERTS=" + authority}
	if _, err := Search(t.Context(), "q", o); err == nil {
		t.Error("it got an answer from a refusal")
	}
	if refreshes.Load() == 0 {
		t.Fatalf("no token was fetched; hosts %q", proxy.Outside())
	}
	var kept struct {
		Access  string `json:"access_token"`
		Refresh string `json:"refresh_token"`
	}
	data, err := os.ReadFile(credentials)
	if err != nil || json.Unmarshal(data, &kept) != nil || kept.Access != "fresh" || kept.Refresh != "keep" {
		t.Errorf("the user's file holds %s, %v", data, err)
	}
	for _, host := range proxy.Outside() {
		if !slices.Contains([]string{"oauth2.googleapis.com:443", "cloudcode-pa.googleapis.com:443", "www.googleapis.com:443"}, host) {
			t.Errorf("it contacted %s", host)
		}
	}
}

// fakeGoogle is a TLS server for Google's hosts, and the file of the authority
// that vouches for it.
func fakeGoogle(t *testing.T, handler http.HandlerFunc) (server *httptest.Server, authority string) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
		DNSNames: []string{"oauth2.googleapis.com", "cloudcode-pa.googleapis.com", "www.googleapis.com"},
	}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	server = httptest.NewUnstartedServer(handler)
	server.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{certificate}, PrivateKey: key}}}
	server.StartTLS()
	t.Cleanup(server.Close)
	var text bytes.Buffer
	if err := pem.Encode(&text, &pem.Block{Type: "CERTIFICATE", Bytes: certificate}); err != nil {
		t.Fatal(err)
	}
	authority = filepath.Join(t.TempDir(), "authority.pem")
	write(t, authority, text.String())
	return server, authority
}

// TestSignInFails: a kind that cannot work without a terminal says what mends it.
func TestSignInFails(t *testing.T) {
	cli := realcli.Require(t)
	tests := []struct {
		name, settings string
		environ        []string
		hint           string
	}{
		{name: "nothing at all", hint: "set GEMINI_API_KEY, or run gemini once and sign in"},
		{name: "Code Assist without a token", settings: `{"security":{"auth":{"selectedType":"oauth-personal"}}}`, hint: "run gemini once in a terminal and sign in"},
		{name: "Vertex AI without a project", environ: []string{"GOOGLE_GENAI_USE_VERTEXAI=true"}, hint: "set GOOGLE_CLOUD_PROJECT and GOOGLE_CLOUD_LOCATION, or GOOGLE_API_KEY"},
		{name: "a gateway", settings: `{"security":{"auth":{"selectedType":"gateway"}}}`, hint: "gemini refuses a gateway without a terminal: set GEMINI_API_KEY and choose gemini-api-key"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			proxy := recorder(t)
			home := t.TempDir()
			if test.settings != "" {
				write(t, filepath.Join(home, ".gemini", "settings.json"), test.settings)
			}
			o := options(t, cli.Binary)
			o.Timeout = 20 * time.Second
			o.Environ = append(test.environ, "PATH="+os.Getenv("PATH"), "HOME="+home, "XDG_RUNTIME_DIR="+home, "HTTPS_PROXY="+proxy.URL)
			_, err := Search(t.Context(), "q", o)
			failure, _ := errors.AsType[*answer.Failure](err)
			if failure == nil || failure.Kind != answer.AuthRequired || failure.Hint != test.hint {
				t.Errorf("%+v, want AUTH_REQUIRED with the hint %q", failure, test.hint)
			}
		})
	}
}
