"""Files that test runners, linters, build tools and scanners read by their names, in any folder."""

import posixpath
from collections.abc import Container
from fnmatch import fnmatchcase

from bot.core.spec.steering.known_parts import has_parts as _has_parts, same_parts

# Read by a runner, a linter, a build tool or a scanner that a gate may start.
_RUNNER = (
    *("conftest.py", "pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml"),
    *("tox.ini", "tox.toml", "noxfile.py", ".coveragerc*", "dodo.py", "fabfile.py"),
    *("sitecustomize.py", "usercustomize.py", "*.pth", ".python-version"),
    *("ruff.toml", ".ruff.toml", "mypy.ini", ".mypy.ini", ".flake8", "pylintrc", ".pylintrc"),
    *("pyrightconfig.json", "ty.toml", ".bandit", ".importlinter", ".pre-commit-config.y*ml"),
    *("jest.config.*", "jest.setup.*", "jest.preset.*", "vitest.config.*", "vitest.workspace.*"),
    *("vitest.setup.*", "vite.config.*", "babel.config.*", ".babelrc*", ".swcrc", ".mocharc*"),
    *("mocha.opts", "ava.config.*", "jasmine.json", "jasmine.*js", ".taprc", ".labrc*"),
    *("playwright.config.*", "cypress.config.*", "karma.conf.*", "wdio.conf*", "nightwatch.conf*"),
    *("web-test-runner.config.*", ".nycrc*", "nyc.config.*", ".c8rc*", "cucumber.*js"),
    *("webpack.config.*", "rollup.config.*", "tsup.config.*", "turbo.json", "nx.json"),
    *("jsconfig*.json", "pnpm-workspace.yaml", "uv.toml", "pdm.toml", "hatch.toml", "poetry.toml"),
    *("mise.toml", ".mise.toml", "nose.cfg", "unittest.cfg", "behave.ini", ".stestr.conf"),
    *("insta.yaml", ".insta.yaml"),
    *("eslint.config.*", ".eslintrc*", ".eslintignore", "tsconfig*.json", "biome.json*"),
    *(".prettierrc*", ".prettierignore", "prettier.config.*", ".stylelintrc*", "*oxlintrc.json"),
    *(".npmrc", ".yarnrc*", ".pnpmfile.*", ".nvmrc", ".node-version", "node.config.json"),
    *("deno.json*", "bunfig.toml", ".env", ".env.test*", ".env.local"),
    *("go.work", ".golangci.*", "magefile*.go", "staticcheck.conf", ".testcoverage.y*ml"),
    *("build.rs", "clippy.toml", ".clippy.toml", "nextest.toml", "rustfmt.toml", ".rustfmt.toml"),
    *("deny.toml", "tarpaulin.toml", ".tarpaulin.toml", "rust-toolchain*", ".tool-versions"),
    *("Makefile", "makefile", "GNUmakefile", "*.mk", "justfile", ".justfile", "Justfile"),
    *("Taskfile.y*ml", "Rakefile", ".rspec", "phpunit.xml*", "CMakeLists.txt", "meson.build"),
    *("SConstruct", "SConscript", "BUILD", "BUILD.bazel", "WORKSPACE*", "MODULE.bazel", ".bazelrc"),
    *("pom.xml", "build.gradle*", "settings.gradle*", "gradle.properties"),
    *(".gitleaks.toml", ".gitleaksignore", ".semgrep*", ".trivyignore*", ".snyk"),
    *(".yamllint*", ".markdownlint*", ".shellcheckrc", ".hadolint.y*ml", ".actrc"),
    *("setupTests.*", "craco.config.*", "config-overrides.js", "angular.json", "testem.js"),
    *("lerna.json", "project.json", "moon.yml", ".pnp.cjs", ".pnp.loader.mjs", "Makefile.toml"),
    *("spec_helper.rb", "rails_helper.rb", "test_helper.rb", ".rspec-local", ".simplecov"),
    *("gradlew", "gradle-wrapper.properties", "mvnw", "junit-platform.properties", "testng.xml"),
    *("Directory.Build.*", "xunit.runner.json", "*.runsettings", "phpunit.dist.xml"),
    *("CMakePresets.json", "CTestCustom.cmake", "CTestConfig.cmake", "pants.toml", "Earthfile"),
    *(".rubocop.yml", ".clang-tidy", ".sqlfluff", ".luacheckrc", "revive.toml", ".vale.ini"),
    *("trivy.yaml", "osv-scanner.toml", "sonar-project.properties", ".secrets.baseline"),
    *("codecov.yml", ".codecov.yml", "typos.toml", "_typos.toml", ".typos.toml", "knip.json"),
)
_RUNNER_BELOW = (
    *((".cargo", "config*"), (".config", "nextest.toml"), (".mvn", "*"), ("patches", "*.patch")),
    # Yarn runs what lies there in its own place.
    *(("releases", "yarn*.cjs"), ("plugins", "*.cjs")),
)
# JUnit and others load what a file of such a name lists.
_SERVICES = "/META-INF/services/"
# jest takes a package from there without being asked.
_IN_PLACE_OF_PACKAGES = "__mocks__/"
# What Go and Cargo leave in a folder of packages of others.
_CARGO_VENDORED = ".cargo-checksum.json"
_GO_VENDORED = "modules.txt"


def is_runner_file(path: str, before: bytes | None, after: bytes | None) -> bool:
    """Whether a changed file steers a runner; None: it is not there before, or after."""
    name = posixpath.basename(path)
    if _has_parts(name):
        return not same_parts(name, before, after)
    return is_read_by_name(path)


def is_read_by_name(path: str) -> bool:
    """Whether a runner reads all of a file because of its name."""
    name = posixpath.basename(path)
    folder = posixpath.basename(posixpath.dirname(path))
    below = any(folder == f and fnmatchcase(name, pattern) for f, pattern in _RUNNER_BELOW)
    below = below or _SERVICES in f"/{path}" or path.startswith(_IN_PLACE_OF_PACKAGES)
    return below or any(fnmatchcase(name, pattern) for pattern in _RUNNER)


def has_parts(path: str) -> bool:
    """Whether the contents of a file say if its change steers a runner."""
    return _has_parts(posixpath.basename(path))


def is_vendored(path: str, paths: Container[str]) -> bool:
    """Whether it lies among packages of others that the tree `paths` holds, with the tools of its tests."""
    folder = posixpath.dirname(path)
    # What is above the top is its own folder, without end.
    while folder.strip("/"):
        if posixpath.join(folder, _CARGO_VENDORED) in paths:
            return True
        if posixpath.basename(folder) == "vendor" and f"{folder}/{_GO_VENDORED}" in paths:
            return True
        folder = posixpath.dirname(folder)
    return False
