# Sourced by ./demo and ./check: installs the Debian packages that are missing, and configures the build tree.
# Needs root or sudo only when something is missing.

mw_install_packages() {
  local missing=()
  local name
  while read -r name; do
    dpkg-query -W -f='${Status}' "$name" 2>/dev/null | grep -q 'install ok installed' || missing+=("$name")
  done <"$MW_ROOT/.ci/packages.txt"
  [ "${#missing[@]}" -eq 0 ] && return 0
  echo "installing: ${missing[*]}"
  local sudo=""
  [ "$(id -u)" -eq 0 ] || sudo="sudo"
  $sudo apt-get update -qq
  DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends "${missing[@]}" >"$MW_BUILD/apt.log" 2>&1 || {
    tail -n 20 "$MW_BUILD/apt.log"
    return 1
  }
}

# mw_configure [cmake arguments]
mw_configure() {
  cmake -S "$MW_ROOT" -B "$MW_BUILD" -G Ninja "$@" >"$MW_BUILD/configure.log" 2>&1 || {
    tail -n 30 "$MW_BUILD/configure.log"
    return 1
  }
}

# mw_venv: the pinned synthesis tools in a virtual environment of the build tree; puts them on PATH.
mw_venv() {
  local venv="$MW_BUILD/venv"
  if ! cmp -s "$MW_ROOT/fpga/requirements.txt" "$venv/requirements.txt"; then
    python3 -m venv "$venv"
    "$venv/bin/pip" install -q --disable-pip-version-check -r "$MW_ROOT/fpga/requirements.txt"
    cp "$MW_ROOT/fpga/requirements.txt" "$venv/requirements.txt"
  fi
  PATH="$venv/bin:$PATH"
}
