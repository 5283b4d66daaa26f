# A thin face of the CMake presets; see README.md.
PORT ?= 8443
DIR ?= demo
PREFIX ?= /usr/local
JOBS ?= 2
CT_TESTS := -R '^(ct|leak|taint)_'

.PHONY: build deps run test bench check-ct install clean
.DEFAULT_GOAL := build

# Configures, builds and tests one preset; the second argument narrows the tests.
define test_preset
cmake --preset $(1)
cmake --build --preset $(1)
ctest --preset $(1) -j$(JOBS) --no-tests=error $(2)
endef

# The constant-time tests, under both checkers; MemorySanitizer only where its compiler could be had.
define test_ct
$(call test_preset,ct,$(CT_TESTS))
$(call test_preset,ct-clang,$(CT_TESTS))
$(if $(shell command -v clang-22),$(call test_preset,ct-msan,$(CT_TESTS)),@echo 'No clang-22: the preset ct-msan is left out')
endef

build:
	@tools/bootstrap build
	@cmake --preset release
	@cmake --build --preset release

deps:
	@tools/bootstrap test

# Builds the program alone, so that the page is up soon.
run:
	@tools/bootstrap build
	@cmake --preset release
	@cmake --build --preset release --target tenon-program
	@exec build/bin/tenon serve -D '$(DIR)' -p '$(PORT)'

# Everything that CI runs. The last preset is the one that users get.
test: deps
	$(call test_preset,asan)
	$(call test_preset,clang)
	$(call test_ct)
	$(call test_preset,release)

check-ct: deps
	$(call test_ct)

# CPU=sse holds Tenon and OpenSSL to that level of the processor's features: see docs/benchmarks.md.
OPENSSL_portable := 0:0
OPENSSL_sse := ~0x1000100000000000:~0x5f42d02b0128
OPENSSL_avx2 := :~0x5842d0230000
OPENSSL_avx512 := :~0
bench: deps build
	$(if $(OPENSSL_$(or $(CPU),avx512)),,$(error CPU is portable, sse, avx2 or avx512))
	@$(if $(CPU),TENON_CPU=$(CPU) OPENSSL_ia32cap='$(OPENSSL_$(CPU))') build/bin/tenon-bench $(if $(QUICK),--quick)

install: build
	@cmake --install build --prefix '$(PREFIX)'

clean:
	rm -rf build
