# SPDX-License-Identifier: Apache-2.0
.PHONY: all demo test quick checks bench clean bootstrap configure install package

all: configure
	@cmake --build build

bootstrap:
	@scripts/bootstrap

configure: bootstrap
	@test -f build/build.ninja || cmake --preset dev -Wno-dev > /dev/null

test: all checks
	@ctest --test-dir build --output-on-failure --no-tests=error -j $$(nproc) || scripts/failed_tests

# What is worth waiting for after every change: a minute and a half.
quick: all checks
	@ctest --test-dir build -L '^(unit|program)$$' --output-on-failure --no-tests=error -j $$(nproc) || scripts/failed_tests

checks:
	@scripts/check_layers --self-test
	@scripts/check_layers
	@scripts/check_format
	@scripts/check_kinds

demo: configure
	@cmake --build build --target heddle
	@build/bin/heddle demo

# PREFIX is where to: /usr/local if not given.
install: configure
	@cmake --build build --target heddle
	@cmake --install build --prefix $(or $(PREFIX),/usr/local) > /dev/null

# build/heddle_VERSION_amd64.deb
package: configure
	@cmake --build build --target heddle
	@cd build && cpack -G DEB

bench: all
	@bench/run

clean:
	@rm -rf build build-release build-asan build-tsan build-tidy build-mutants
