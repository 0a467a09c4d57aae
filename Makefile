# SPDX-License-Identifier: Apache-2.0
.PHONY: all demo test bench clean bootstrap configure

all: configure
	@cmake --build build

bootstrap:
	@scripts/bootstrap

configure: bootstrap
	@test -f build/build.ninja || cmake --preset dev -Wno-dev > /dev/null

test: all
	@scripts/check_layers --self-test
	@scripts/check_layers
	@ctest --test-dir build --output-on-failure --no-tests=error -j $$(nproc)

demo: configure
	@cmake --build build --target heddle
	@scripts/demo

bench: all
	@bench/run

clean:
	@rm -rf build build-release build-asan build-tsan
