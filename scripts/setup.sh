#!/usr/bin/env bash
# Makes this machine ready to build and test: npm packages, wasm toolchain, wasm-bindgen, Chromium and its driver.
# Does nothing where all is there.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
cd "$root"

need_node() {
  command -v node >/dev/null || die "Node.js is missing: install version 20 or newer"
  local version
  version=$(node -p 'process.versions.node')
  [ "${version%%.*}" -ge 20 ] || die "Node.js $version is too old: install version 20 or newer"
}

npm_packages() {
  [ node_modules/.package-lock.json -nt package-lock.json ] && return
  say "installing npm packages"
  npm ci --no-audit --no-fund --loglevel=error >&2 || die "'npm ci' failed: it needs the npm registry once"
  # npm gives its own lock the date of the install, but an equal date would repeat the install.
  touch node_modules/.package-lock.json
}

wasm_bindgen() {
  local version bin
  version=$(wasm_bindgen_version)
  bin=$(wasm_bindgen_bin)
  [ -x "$bin/wasm-bindgen" ] && [ -x "$bin/wasm-bindgen-test-runner" ] && return
  say "installing wasm-bindgen-cli $version (minutes, once)"
  local install=(cargo install -q wasm-bindgen-cli --version "$version" --root "${bin%/bin}")
  # A registry mirror may lack a version that the tool's own lock names.
  "${install[@]}" --locked >&2 || "${install[@]}" >&2 ||
    die "wasm-bindgen-cli $version cannot be installed: run 'cargo install wasm-bindgen-cli --version $version' to see why"
}

have_browser() {
  local name
  [ -n "${CHROME:-}" ] && { [ -x "$CHROME" ] || die "CHROME names '$CHROME', which cannot be run"; } && return
  for name in chromium chromium-browser google-chrome google-chrome-stable; do
    command -v "$name" >/dev/null && return
  done
  return 1
}

have_driver() { [ -x "${CHROMEDRIVER:-}" ] || command -v chromedriver >/dev/null; }

browser() {
  have_browser && have_driver && return
  can_apt && apt_install chromium chromium-driver && have_browser && have_driver && return
  die "the browser tests need Chromium and chromedriver: install both, or name them in CHROME and CHROMEDRIVER"
}

need_node
npm_packages
# Run for its check and its downloads; the tools of this machine itself are built without its environment.
scripts/toolchain.sh >/dev/null
wasm_bindgen
browser
