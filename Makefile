# make setup   what building and testing needs, into this machine's caches (quick when all is there)
# make pkg     the npm package, in pkg/, and its tarball in target/pkg/
# make test    every check and test; `node scripts/test.mjs native types` runs only those
# make demo    the console in a browser; TEXT=file summarizes that file, ONCE=1 ends after one call
# make size    what users download, against scripts/size-budget.json
# make bench   speed, memory and size side by side with the official client; `cargo bench` measures the core alone
# make conformance  the official conformance suite against the package; part of make test
# make fmt     formats the Rust sources
# make clean   removes what was built here; the caches outside this folder stay

.SILENT:
.PHONY: setup pkg test conformance demo bench size fmt clean

# By the environment and without another look at `$`: a path may contain anything.
override export TEXT := $(value TEXT)
export ONCE

setup:
	scripts/setup.sh

pkg: setup
	node scripts/build-pkg.mjs

test: setup
	node scripts/test.mjs

conformance: pkg
	node scripts/conformance.mjs

demo: pkg
	node scripts/demo.mjs

bench: pkg
	node scripts/bench.mjs

size: pkg
	node scripts/size.mjs

fmt:
	cargo fmt

clean:
	rm -rf target pkg
