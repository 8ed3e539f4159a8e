# SPDX-License-Identifier: MIT
# Functions for all scripts. They install missing packages if apt-get exists, and otherwise print their names.

# The Debian packages that build and run all tests.
what_tests_need="g++ cmake ninja-build pkg-config libeigen3-dev catch2 libcli11-dev nlohmann-json3-dev zlib1g-dev
  gnuplot-nox libopenmpi-dev openmpi-bin python3 codespell"

# Returns whether one of the given programs or headers exists.
have() {
  local candidate folder
  for candidate in "$@"; do
    case $candidate in
      */* | *.h)
        for folder in /usr/include /usr/local/include /opt/homebrew/include \
          "${CMAKE_PREFIX_PATH:-/usr}/include"; do
          if [ -e "$folder/$candidate" ]; then return 0; fi
        done
        ;;
      *) if command -v "$candidate" >/dev/null 2>&1; then return 0; fi ;;
    esac
  done
  return 1
}

# Returns whether the contents of a Debian package exist, from any source.
is_here() {
  case $1 in
    g++) have g++ c++ ;;
    clang) have clang++ ;;
    clang-19) have clang++-19 ;;
    libc++-19-dev) [ -e /usr/lib/llvm-19/include/c++/v1 ] ;;
    libc++abi-19-dev) [ -e /usr/lib/llvm-19/lib/libc++abi.so ] ;;
    g++-i686-linux-gnu) have i686-linux-gnu-g++ ;;
    lib32z1) [ -e /usr/lib32/libz.so.1 ] ;;
    g++-aarch64-linux-gnu) have aarch64-linux-gnu-g++ ;;
    qemu-user) have qemu-aarch64 ;;
    g++-mingw-w64-x86-64-posix) have x86_64-w64-mingw32-g++-posix ;;
    libz-mingw-w64-dev) [ -e /usr/x86_64-w64-mingw32/lib/libz.a ] ;;
    wine) have wine ;;
    wine64) [ -e /usr/lib/wine/wine64 ] ;;
    libclang-rt-*-dev) have clang++ && clang++ -fsanitize=address,undefined -x c++ -o /dev/null - <<<"int main() {}" 2>/dev/null ;;
    clang-tidy) have clang-tidy ;;
    cppcheck) have cppcheck ;;
    cmake) have cmake ;;
    ninja-build) have ninja ;;
    pkg-config) have pkg-config pkgconf ;;
    libeigen3-dev) have eigen3/Eigen/Core Eigen/Core ;;
    catch2) have catch2/catch.hpp catch2/catch_all.hpp ;;
    libcli11-dev) have CLI/CLI.hpp ;;
    nlohmann-json3-dev) have nlohmann/json.hpp ;;
    zlib1g-dev) have zlib.h ;;
    libbenchmark-dev) have benchmark/benchmark.h ;;
    gnuplot-nox) have gnuplot ;;
    liblinear-dev) have linear.h ;;
    libdlib-dev) have dlib/svm.h ;;
    python3-sklearn) python3 -c "import sklearn" 2>/dev/null || /usr/bin/python3 -c "import sklearn" 2>/dev/null ;;
    libopenmpi-dev) have mpicxx mpic++ ;;
    openmpi-bin) have mpirun mpiexec ;;
    doxygen) have doxygen ;;
    libjs-mathjax) [ -e /usr/share/javascript/mathjax/MathJax.js ] ;;
    python3) have python3 ;;
    codespell) have codespell ;;
    gcovr) have gcovr ;;
    lld) have ld.lld ;;
    llvm) have llvm-cov ;;
    *) return 1 ;;
  esac
}

# The presets need this version. Scripts without presets set 3.21, the minimum of CMakeLists.txt.
least_cmake=3.25

# Ends the script with a clear message if CMake is older.
need_new_cmake() {
  local version
  version=$(cmake --version | sed -n 's/^cmake version \([0-9.]*\).*/\1/p')
  if printf '%s\n%s\n' "$least_cmake" "$version" | sort -V -C; then return 0; fi
  echo "This needs CMake $least_cmake, but $(command -v cmake) is $version. Get a newer one from" >&2
  echo "https://cmake.org/download, or with: pip install cmake" >&2
  exit 1
}

# need <package>...: installs missing packages. Without apt-get, only prints what is missing and continues, because the
# packages may exist under other names.
need() {
  local missing=() package as_root=()
  for package in "$@"; do
    if ! is_here "$package"; then missing+=("$package"); fi
    if [ "$package" = cmake ] && have cmake; then need_new_cmake; fi
  done
  if [ ${#missing[@]} -eq 0 ]; then return 0; fi

  if ! have apt-get; then
    echo "Not found (names of Debian packages): ${missing[*]}" >&2
    echo "linea needs g++ >= 12 or clang >= 14, CMake >= 3.21 (3.25 for the presets), Ninja and" >&2
    echo "Eigen >= 3.4; the tests need Catch2 and pkg-config, the programs CLI11 and nlohmann-json, and figures gnuplot." >&2
    echo "Install them with your system's package manager if the next step fails." >&2
    return 0
  fi
  if [ "$(id -u)" -ne 0 ]; then
    if ! have sudo; then
      echo "Run as root: apt-get install ${missing[*]}" >&2
      return 1
    fi
    as_root=(sudo)
  fi
  echo "Installing ${missing[*]}"
  as_root+=(env DEBIAN_FRONTEND=noninteractive)
  "${as_root[@]}" apt-get update -q || echo "apt-get update failed; using the existing package lists" >&2
  "${as_root[@]}" apt-get install -y -q --no-install-recommends "${missing[@]}"
}

# Prints how many files of a test program to compile as one: 16 if each core has 6 GB of memory, and else 4.
together() {
  local kilobytes
  kilobytes=$(sed -n 's/^MemTotal: *\([0-9]*\) kB$/\1/p' /proc/meminfo 2>/dev/null) || true
  if [ $((${kilobytes:-0} / $(cores))) -ge 6000000 ]; then echo 16; else echo 4; fi
}

cores() { nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2; }
