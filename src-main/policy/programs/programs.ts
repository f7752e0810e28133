function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ''));
}

/** Shells whose grammar is parsed (see parseCommand); commands for other shells are never understood. */
export const READ_SHELLS = words('bash zsh');

/** Reserved words of bash or zsh at the start of a command: no simple command follows. */
export const RESERVED_WORDS = words(`
  if then elif else fi for foreach while until do done end case esac in select function time coproc repeat always
  nocorrect`);

/**
 * Builtins that change the shell they run in, run their arguments, or evaluate arithmetic (a subscript can run commands: `printf -v`, `test -v`,
 * zsh's `printf %d`).
 */
const BUILTINS = words(`
  . : - [ alias autoload bg bind bindkey break builtin bye caller cd chdir command comparguments compcall compdef compgen complete
  compopt continue declare dirs disable disown echotc echoti emulate enable eval exec exit export fc fg float functions
  getln getopts hash history integer jobs let limit local log logout mapfile noglob popd print printf private pushd pushln r read
  readarray readonly rehash return sched set setopt shift shopt source suspend sysopen sysread sysseek syswrite
  test trap ttyctl typeset ulimit umask unalias unfunction unhash unlimit unset unsetopt vared wait where whence zcompile zf_chmod
  zf_chown zf_ln zf_mkdir zf_mv zf_rm zf_rmdir zf_sync zformat zftp zle zmodload zparseopts zprof zpty zregexparse zselect zsocket
  zstyle zsystem ztcp`);

/** Programs that run another program, a script or code named by their arguments, their input or the person's keys. */
const WRAPPERS = words(`
  env nohup nice ionice chrt taskset timeout gtimeout stdbuf unbuffer setsid setarch linux32 linux64 xargs gxargs parallel sem watch
  viddy entr watchexec time gtime caffeinate flock chronic ts script scriptreplay expect autoexpect rlwrap ltrace strace dtrace
  dtruss gdb lldb valgrind perf rr bpftrace hyperfine sudo doas su runuser setpriv pkexec gosu run0 sg newgrp chroot unshare nsenter
  systemd-run systemd-nspawn proot fakeroot fakechroot firejail bwrap capsh cgexec numactl prlimit at batch crontab anacron ssh mosh
  telnet rsh rlogin scp sftp sshfs ssh-agent autossh dbclient nc ncat netcat socat ftp lftp
  sh bash rbash zsh dash ash ksh mksh pdksh oksh yash fish csh tcsh posh nu elvish xonsh oil osh ysh pwsh powershell cmd command.com
  busybox toybox python pypy ipython bpython perl ruby irb pry node nodejs deno bun tsx ts-node php lua luajit texlua tclsh wish
  rscript r julia octave awk gawk mawk nawk goawk osascript swift java jshell scala groovy kotlin clojure clj ghci runghc runhaskell
  ocaml racket guile sbcl clisp ecl erl escript elixir iex dart crystal nim v zig m4 dc bc gnuplot
  npx bunx uvx uv pipx pnpx rye hatch poetry pipenv conda mamba micromamba mise asdf rtx direnv dotenv nix nix-shell nix-env
  devbox vagrant wsl adb mount xdg-open open start gio wt osqueryi
  vi vim nvim gvim vimdiff view rvim rview ex ed red emacs emacsclient nano pico micro hx helix kak joe mcedit code
  less more most pg lv info pinfo w3m lynx links elinks mc ranger nnn lf vifm fzf sk peco tig lazygit gitui lazydocker k9s
  screen tmux zellij byobu dtach abduco tmate
  sqlite3 psql mysql mariadb mongo mongosh redis-cli duckdb clickhouse
  mlr miller run-parts exiftool tex latex pdftex pdflatex xetex xelatex luatex lualatex latexmk context
  ansible ansible-playbook salt pssh pdsh fab`);

/** Programs that run what a file in their working directory names: a rule allows exactly its own words, at least two. */
const RUNNERS = words(`
  make gmake bmake nmake ninja cmake ctest meson scons just task rake bundle gem gradle gradlew mvn mvnw ant sbt bazel bazelisk buck
  buck2 pants npm pnpm yarn corepack pip pip3 cargo go dotnet msbuild xcodebuild tox nox pytest jest vitest mocha eslint tsc vite
  webpack rollup turbo nx lerna gulp grunt composer phpunit mix rebar3 stack cabal invoke pre-commit lefthook husky pylint flake8 mypy black isort ruff
  prettier stylelint sphinx-build mkdocs jj sl bzr brz darcs pijul fossil`);

/** Programs whose second word determines what they do: a rule must name it. The listed subcommands are never allowed. */
const SUBCOMMANDS: Readonly<Record<string, ReadonlySet<string>>> = {
  git: words(`
    am archive bisect citool clone config credential credential-cache credential-store cvsimport daemon difftool fast-import filter-branch
    filter-repo for-each-repo gui help hook http-backend instaweb maintenance merge mergetool p4 rebase remote-ext
    send-email sh-i18n shell submodule svn upload-pack web--browse`),
  gh: words('alias api browse codespace config cs ext extension'),
  glab: words('alias api config'),
  docker: words('exec run compose build buildx container context plugin'),
  podman: words('exec run compose build container unshare'),
  nerdctl: words('exec run compose build container'),
  kubectl: words('exec run debug attach cp edit plugin proxy config'),
  oc: words('exec run debug rsh rsync edit plugin'),
  helm: words('plugin install upgrade template'),
  terraform: words('console apply plan init test'),
  tofu: words('console apply plan init test'),
  systemctl: words('edit'),
  ip: words('netns vrf'),
  brew: words('sh irb edit tap bundle'),
  hg: words('config debugshell'),
  svn: words('propedit'),
  apt: words('edit-sources'),
  openssl: words('engine ca rehash s_client s_server s_time srp ts'),
};

/** Options that run a program, read commands or write a file. */
const RISKY_OPTIONS: Readonly<Record<string, readonly string[]>> = options(`
  git -c -C -O -o --exec-path --config-env --git-dir --work-tree --namespace --super-prefix --output --ext-diff --textconv
    --upload-pack --receive-pack --exec --open-files-in-pager --help --filters --no-index --template --show-signature
  find -exec -execdir -ok -okdir -delete -fprint -fprint0 -fprintf -fls -files0-from
  fd -x -X --exec --exec-batch
  fdfind -x -X --exec --exec-batch
  rg --pre --hostname-bin -z --search-zip
  ag --pager -z --search-zip
  ack --pager --output --ackrc --filter
  bat --pager --config-file --diff -P
  batcat --pager --config-file --diff -P
  sort -o -T --output --compress-program --temporary-directory
  shuf -o --output
  tree -o --fromfile --fromtabfile
  tar -I -F --index-file -g --listed-incremental --volno-file --to-command --checkpoint-action --use-compress-program --rmt-command --rsh-command --info-script --new-volume-script
  zip -T -TT --unzip-command --test
  cpio --rsh-command --to-stdout
  rsync -e -M --remote-option --rsh --rsync-path --daemon --files-from --write-batch --log-file
  curl -H --header --proxy-header -E --cert -o -O -J -K -T -D -c -w -F -d --config --output --output-dir --remote-name --remote-name-all --remote-header-name --upload-file
    --dump-header --cookie-jar --trace --trace-ascii --stderr --etag-save --hsts --alt-svc --libcurl --write-out --engine --data
    --data-ascii --data-binary --data-raw --data-urlencode --form --form-string --json --netrc-file --proxy-command
  wget -O -o -a -P -i -e --execute --use-askpass --config --output-document --output-file --append-output --directory-prefix
    --input-file --post-file --body-file --save-cookies --hsts-file --warc-file --rejected-log
  man -P -H -C -M -X -Z -T -l -K --pager --html --config-file --manpath --local-file --troff --ditroff --gxditview --preprocessor
  jq -f -L --from-file
  yq -i --inplace --from-file --split-exp
  date -s --set -f --file
  hostname -F -b --file --boot
  file -C -m --compile --magic-file
  diff -l --paginate
  tcpdump -z -w -W -Z
  nmap --script -oN -oX -oS -oG -oA
  openssl -engine -out -provider -config
  kubectl --kubeconfig --token -f
  docker -H --host --config --context
  journalctl --rotate --vacuum-size --vacuum-time --vacuum-files --flush --cursor-file
  dmesg -C -c -D -E -n --clear --read-clear
  ip -b -batch -force
  split --filter
  xxd -r -revert
  gcc -wrapper -specs -fplugin -B -o
  cc -wrapper -specs -fplugin -B -o
  clang -fplugin -load -o
  gpg --exec-path --photo-viewer --output -o
  logger -f --file
  ping -f
  ctags --options -o
  objdump --plugin
  dig -f -k`);

/** The same for unlisted programs: words that nearly always have this meaning. */
const RISKY_ANYWHERE =
  '--exec --execute --exec-batch --command --eval --pager --rsh --to-command --checkpoint-action --use-compress-program --compress-program --output --output-file --in-place --inplace'.split(
    ' ',
  );

/** Programs that write to their second operand. */
const ONE_OPERAND = words('uniq xxd');

function options(table: string): Record<string, readonly string[]> {
  const lines = table.trim().split(/\n {2}(?! )/);
  return Object.fromEntries(
    lines.map((line): [string, string[]] => {
      const [program = '', ...flags] = line.split(/\s+/);
      return [program, flags];
    }),
  );
}

/** A program's name in these lists and in deny rules: no folder, no `.exe`, lower case, because some file systems ignore case. */
export function programName(word: string): string {
  return word
    .replace(/^.*[/\\]/, '')
    .toLowerCase()
    .replace(/\.exe$/, '');
}

/** A program's name also without its version: `python3.12` is `python`. */
function namesOf(word: string): readonly string[] {
  const name = programName(word);
  return [name, name.replace(/-?\d[\d.]*$/, '')];
}

export type ProgramKind = 'builtin' | 'wrapper' | 'runner' | 'plain';

export function kindOf(word: string): ProgramKind {
  const isIn = (set: ReadonlySet<string>): boolean => namesOf(word).some((name) => set.has(name));
  if (isIn(BUILTINS)) return 'builtin';
  if (isIn(WRAPPERS)) return 'wrapper';
  return isIn(RUNNERS) ? 'runner' : 'plain';
}

/** Whether the word runs in the shell itself. */
export function isBuiltin(word: string): boolean {
  return BUILTINS.has(word);
}

/** The subcommands that are never allowed; null if the second word does not determine what the program does. */
export function deniedSubcommands(word: string): ReadonlySet<string> | null {
  const name = programName(word);
  return (Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name] : undefined) ?? null;
}

export function riskyOptions(word: string): readonly string[] {
  const own = Object.hasOwn(RISKY_OPTIONS, programName(word)) ? RISKY_OPTIONS[programName(word)] : undefined;
  return own ?? RISKY_ANYWHERE;
}

export function isOneOperand(word: string): boolean {
  return ONE_OPERAND.has(programName(word));
}
