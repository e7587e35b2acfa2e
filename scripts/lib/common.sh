# Helpers of the shell scripts. Sourced, never run.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cache=${MCP_SAMPLING_CACHE:-$HOME/.cache/mcp-sampling}

# Standard output belongs to the answers of a script, so messages go to standard error.
say() { printf '%s\n' "$*" >&2; }

die() {
  say "error: $*"
  exit 1
}

# A download that cannot happen should say so soon. macOS has no `timeout`.
bounded() {
  local seconds=$1
  shift
  if command -v timeout >/dev/null; then timeout "$seconds" "$@"; else "$@"; fi
}

can_apt() {
  command -v apt-get >/dev/null && { [ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null; }
}

apt_install() {
  local as_root=()
  [ "$(id -u)" = 0 ] || as_root=(sudo -n)
  say "installing $* with apt-get"
  "${as_root[@]}" apt-get update -qq >&2 &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >&2
}

# The command line tool only accepts modules of exactly the crate's version.
wasm_bindgen_version() {
  local version
  version=$(sed -nE 's/^wasm-bindgen = .*"=([0-9.]+)".*/\1/p' "$root/Cargo.toml")
  [ -n "$version" ] || die "Cargo.toml must pin wasm-bindgen to one version, like \"=0.2.130\""
  printf '%s' "$version"
}

wasm_bindgen_bin() {
  local version
  version=$(wasm_bindgen_version) && printf '%s' "$cache/wasm-bindgen-$version/bin"
}
