#!/usr/bin/env bash
# Chooses a Rust toolchain for wasm32-unknown-unknown and prints its environment as `export NAME=value` lines:
#   eval "$(scripts/toolchain.sh)"
# Environment only: build-std in a `.cargo/config.toml` would break every host build run with RUSTC_BOOTSTRAP.
#
# MCP_SAMPLING_CACHE      where std builds and wasm-bindgen are kept   (~/.cache/mcp-sampling)
# MCP_SAMPLING_TOOLCHAIN  auto, rustup or debian                       (auto)
# MCP_SAMPLING_VERBOSE    1 keeps the words of panics and `{:?}` output in the module, for debugging
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
cd "$root"

target=wasm32-unknown-unknown
wanted=${MCP_SAMPLING_TOOLCHAIN:-auto}
debian_packages=(rustc-web cargo-web rust-web-src lld-19)

# Older compilers lack one of the flags below.
recent() { local minor; minor=$("$1" -V | sed -nE 's/^rustc 1\.([0-9]+).*/\1/p') && [ "${minor:-0}" -ge 91 ]; }
own_rustc() { command -v rustc >/dev/null && [ "$(command -v rustc)" != /usr/bin/rustc ] && recent rustc; }
sysroot_has() { own_rustc && [ -e "$(rustc --print sysroot)/lib/rustlib/$1" ]; }
rustup_target() { sysroot_has "$target"; }
rustup_source() { sysroot_has src/rust/library/Cargo.lock; }

debian_complete() {
  [ -x /usr/bin/rustc ] && [ -x /usr/bin/cargo ] && [ -x /usr/bin/wasm-ld-19 ] &&
    [ -e /usr/lib/rustlib/src/rust/library/Cargo.lock ] && recent /usr/bin/rustc
}

rustup_fetch() {
  own_rustc && command -v rustup >/dev/null || return 1
  rustup_target || bounded 60 rustup target add "$target" >&2 || true
  rustup_source || bounded 60 rustup component add rust-src >&2 || true
  rustup_target && rustup_source
}

debian_install() { can_apt && apt_install "${debian_packages[@]}" && debian_complete; }

# What is on the machine comes before what must be fetched; a built std (smaller) before a ready one.
choose() {
  case $wanted in
    rustup) if rustup_fetch; then echo rustup; elif rustup_target; then echo ready; fi ;;
    debian) if debian_complete || debian_install; then echo debian; fi ;;
    auto)
      if rustup_target && rustup_source; then echo rustup
      elif debian_complete; then echo debian
      elif rustup_fetch; then echo rustup
      elif debian_install; then echo debian
      elif rustup_target; then echo ready
      fi ;;
    *) die "MCP_SAMPLING_TOOLCHAIN is '$wanted'; it may be auto, rustup or debian" ;;
  esac
}

set_var() { printf 'export %s=%q\n' "$1" "$2"; }

# Measured on this crate: a panic that is one instruction saves 18 % of the module after compression, next to one that
# unwinds. Not in Cargo.toml, where tests would not follow it: after a panic src/js/instance.js makes a fresh instance.
small_flags="-Zunstable-options -Cpanic=immediate-abort -Zpanic-abort-tests -Zlocation-detail=none -Zfmt-debug=none"
# With an eighth less of a stack than usual, the data after it lies below 1 MiB, where addresses take a byte less.
small_flags="$small_flags -Clink-arg=-zstack-size=917504"

build_std() {
  [ "${MCP_SAMPLING_VERBOSE:-}" = 1 ] || flags=$small_flags
  set_var RUSTC_BOOTSTRAP 1
  set_var CARGO_UNSTABLE_BUILD_STD std,panic_abort
  set_var CARGO_UNSTABLE_BUILD_STD_FEATURES optimize_for_size
  # Clones share the build folder, and a file of another clone may be older and yet another.
  set_var CARGO_UNSTABLE_CHECKSUM_FRESHNESS true
}

kind=$(choose)
rustc=rustc
flags=
path=$PATH
case $kind in
  rustup)
    build_std
    said="rustc from rustup, std built here" ;;
  debian)
    build_std
    rustc=/usr/bin/rustc
    path=/usr/bin:$PATH
    set_var RUSTC "$rustc"
    set_var CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER wasm-ld-19
    said="rustc from Debian's rustc-web, std built here" ;;
  ready)
        said="rustc with its ready-made std (the module is larger; 'rustup component add rust-src' mends that)" ;;
  *)
    die "no toolchain for $target: run 'rustup update && rustup target add $target && rustup component add rust-src'," \
      "or on Debian 'apt-get install ${debian_packages[*]}' as root" ;;
esac

version=$("$rustc" -vV)
release=$(sed -n 's/^release: //p' <<<"$version")
key=$release-$(cksum <<<"$version $kind $flags" | cut -d' ' -f1)
# Only the intermediate files are shared between clones: finished files of two clones would overwrite each other.
set_var CARGO_BUILD_BUILD_DIR "$cache/wasm-target-$key"
set_var CARGO_TARGET_DIR "$root/target/wasm"
set_var CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS "$flags"
set_var CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER wasm-bindgen-test-runner
set_var MCP_SAMPLING_WASM_KEY "$key"
set_var PATH "$(wasm_bindgen_bin):$path"
printf 'unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS\n'
say "wasm toolchain: $said ($release)"
