#!/usr/bin/env bash
# Installs the package into a root that holds nothing but the packages it depends on (and the essential ones),
# as they are installed on this machine, and starts both programs there.
# usage: package.sh HEARTH.deb
set -euo pipefail

deb=$(readlink -f "$1")
(( EUID == 0 )) || { echo "SKIP: only root can change into another root"; exit 0; }
command -v dpkg-deb >/dev/null || { echo "SKIP: there is no dpkg"; exit 0; }

root=$(mktemp -d)
window=
cleanup()
{
    [[ -z $window ]] || kill "$window" 2>/dev/null || true
    rm -rf --one-file-system "$root"
}
trap cleanup EXIT

fail()
{
    echo "FAILED: $*" >&2
    exit 1
}

wanted() # the names of what the package depends on: the first of each choice that is installed
{
    local choices choice name
    dpkg-deb --field "$deb" Depends | tr ',' '\n' | while IFS='|' read -ra choices; do
        for choice in "${choices[@]}"; do
            name=$(sed 's/(.*//; s/ //g' <<<"$choice")
            if dpkg-query --show "$name" >/dev/null 2>&1; then echo "$name"; break; fi
        done
    done
}

closure() # of the packages on standard input: those and all that they depend on
{
    local names
    mapfile -t names < <(xargs apt-cache depends --recurse --installed --no-recommends --no-suggests \
        --no-conflicts --no-breaks --no-replaces --no-enhances | sed -n 's/^\([a-z0-9][^ ]*\)$/\1/p' | sort -u)
    dpkg-query --show --showformat '${db:Status-Status} ${binary:Package}\n' "${names[@]}" 2>/dev/null |
        sed -n 's/^installed //p' | sort -u
}

copyPackages() # NAME…: their files, and that they are installed
{
    local name list folder
    mkdir -p "$root"/{etc,tmp,proc,dev,root} "$root"/var/lib/dpkg/{info,updates}
    for folder in bin sbin lib lib32 lib64 libx32; do # what is a link into /usr, where the files are
        [[ ! -L /$folder ]] || { mkdir -p "$root/usr/$folder"; ln -s "usr/$folder" "$root/$folder"; }
    done
    dpkg-query --listfiles "$@" | sed -n '/ /d; s,^/,,p' | sort -u |
        tar -C / --create --no-recursion --ignore-failed-read --files-from - 2>/dev/null |
        tar -C "$root" --extract --keep-directory-symlink
    dpkg-query --status "$@" >"$root/var/lib/dpkg/status"
    for name in "$@"; do
        for list in "/var/lib/dpkg/info/$name.list" "/var/lib/dpkg/info/${name%%:*}.list"; do
            [[ ! -e $list ]] || echo "$list"
        done
    done | sort -u | xargs cp -t "$root/var/lib/dpkg/info"
    echo 'root:x:0:0:root:/root:/bin/sh' >"$root/etc/passwd"
    echo 'root:x:0:' >"$root/etc/group"
    mknod -m 666 "$root/dev/null" c 1 3
}

inside=(env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 QT_QPA_PLATFORM=offscreen
    XDG_RUNTIME_DIR=/root chroot "$root")

mapfile -t packages < <({
    wanted
    dpkg-query --show --showformat '${Essential} ${Package}\n' | sed -n 's/^yes //p'
} | closure)
copyPackages "${packages[@]}"
"${inside[@]}" ldconfig
cp "$deb" "$root/hearth.deb"
"${inside[@]}" dpkg --install --force-unsafe-io /hearth.deb >"$root/log" 2>&1 || { cat "$root/log"; fail "dpkg does not install it"; }
echo "installed beside ${#packages[@]} packages"

[[ $("${inside[@]}" hearth --version) == "hearth "* ]] || fail "hearth does not start"
[[ $("${inside[@]}" hearth-agent --version) == "hearth-agent "* ]] || fail "hearth-agent does not start"
printf 'main;parse 3\nmain 1\n' >"$root/tmp/a.folded"
"${inside[@]}" hearth top /tmp/a.folded | grep -q parse || fail "hearth reads no profile"
for file in share/man/man1/hearth.1.gz share/man/man1/hearth-agent.1.gz share/bash-completion/completions/hearth \
    share/polkit-1/actions/org.hearth.record.policy share/applications/org.hearth.Hearth.desktop; do
    [[ -s $root/usr/$file ]] || fail "there is no $file"
done
grep -q '>/usr/bin/hearth-agent<' "$root/usr/share/polkit-1/actions/org.hearth.record.policy" ||
    fail "polkit would not know the sampler"
if "${inside[@]}" ldd /usr/lib/*/qt6/plugins/platforms/libqxcb.so 2>/dev/null | grep 'not found'; then
    fail "the window lacks libraries for X"
fi

# A window that is there listens, and takes what is sent.
"${inside[@]}" hearth convert /tmp/a.folded -o /tmp/a.otlp || fail "hearth writes no profile"
"${inside[@]}" hearth --new --listen unix:/tmp/port &
window=$!
for ((try = 0; try < 600; ++try)); do
    [[ ! -S $root/tmp/port ]] || break
    kill -0 "$window" 2>/dev/null || fail "the window has gone"
    sleep 0.1
done
"${inside[@]}" timeout 60 hearth send /tmp/a.otlp --to unix:/tmp/port >/dev/null || fail "the window takes nothing"
kill "$window"
wait "$window" || true
window=
echo "both programs start"
