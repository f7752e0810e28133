/** The commands whose specifications the build takes: the most used ones. The build fails for a name that the package lacks. */
export const SPEC_NAMES: readonly string[] =
  'apt base64 bat brew bun bundle cargo cat cd chmod chown clang cmake code cp crontab curl cut date dd deno df diff dig direnv docker docker-compose dpkg du echo env eslint export eza fd file find fzf g++ gcc gem gh git go gpg gradle grep head helm hostname id java jq just kill killall kubectl less ln ls lsblk lsof make man mkdir mkfifo more mount mv mvn mypy mysql nano nc next node npm npx nvim nvm passwd php ping pip pip3 pipx pkill pnpm podman poetry pre-commit prettier ps psql pushd pyenv pytest python python3 rake readlink rg rm rmdir rsync ruby ruff rustc rustup scp sed seq sftp shasum sort source sqlite3 ssh ssh-keygen stat su sudo systemctl tail tar tee terraform time tmux top touch tr tree tsc turbo uname uniq unset unzip uv vim wc wget whereis which who xargs xdg-open yarn zip'.split(
    ' ',
  );
