/** Stands in for systemd where none runs. */

interface Systemctl {
  /** Its folder: `units`, and for each process its number, its output and the copies of its secrets. */
  readonly run: string;
  /** Starts each process as the user of its unit, in place of the one that calls. */
  readonly switchesUsers: boolean;
}

/**
 * A script that implements start, stop, restart, is-active and `enable --now` for units of deploy/systemd; ignores
 * others, such as nginx, and every other verb.
 */
export function systemctlScript({ run, switchesUsers }: Systemctl): string {
  return SCRIPT.replaceAll('RUN', run).replace('SWITCH', switchesUsers ? SWITCH : '');
}

const SCRIPT = `#!/bin/bash
set -u
verb=$1
shift
if [ "$verb \${1-}" = "enable --now" ]; then verb=start; shift; fi
case $verb in start | stop | restart | is-active) ;; *) exit 0 ;; esac
[ "$1" != --quiet ] || shift
for name in "$@"; do
  name=\${name%.service}
  unit=RUN/units/$name.service
  part=\${name#venue-}
  case $name in venue-*) [ -e "$unit" ] || continue ;; *) continue ;; esac
  pid=$(cat "RUN/$part.pid" 2>/dev/null || true)
  runs() { [ -n "$pid" ] && kill -0 "$pid" 2>/dev/null; }
  if [ "$verb" = is-active ]; then runs || exit 3; fi
  if [ "$verb" = stop ] || [ "$verb" = restart ]; then
    [ -z "$pid" ] || kill "$pid" 2>/dev/null || true
    while runs; do sleep 0.1; done
    rm -f "RUN/$part.pid"
  fi
  if [ "$verb" = restart ] || { [ "$verb" = start ] && ! runs; }; then
    (
      text=$(cat "$unit" "$unit".d/*.conf 2>/dev/null)
      credentials=RUN/credentials/$part
      rm -rf "$credentials"
      mkdir -p "$credentials"
      sed -n 's/^LoadCredential=//p' <<<"$text" | while IFS=: read -r id path; do
        install -m 400 "$path" "$credentials/$id"
      done
      # Units see nothing of the environment of the user who starts them.
      unset "\${!VENUE_@}"
      set -a
      eval "$(sed -n 's/^Environment=//p' <<<"$text" | sed "s#%d#$credentials#")"
      [ ! -e "/etc/venue/$part.env" ] || . "/etc/venue/$part.env"
      set +a
      cd /opt/venue/current
      as=()
      SWITCH
      exec "\${as[@]}" node_modules/.bin/node packages/cli/src/main.ts "$part" </dev/null >>"RUN/$part.log" 2>&1
    ) &
    echo $! > "RUN/$part.pid"
  fi
done
`;

/** A unit without a user has one that systemd makes up, which owns nothing else. */
const SWITCH = `user=$(sed -n 's/^User=//p' <<<"$text")
      user=\${user:-nobody}
      state=$(sed -n 's/^StateDirectory=//p' <<<"$text")
      [ -z "$state" ] || install -d -o "$user" -m 700 "/var/lib/$state"
      chown -R "$user" "$credentials"
      as=(setpriv "--reuid=$user" "--regid=$(id -g "$user")" --init-groups --no-new-privs --bounding-set=-all)`;
