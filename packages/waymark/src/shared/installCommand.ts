const managersWithAdd = ['pnpm', 'yarn', 'bun']

/**
 * Returns the command that installs packages, for messages: `npm install sharp`, `pnpm add sharp`.
 * Uses the package manager that started this process, as in `pnpm dev`. Default: npm.
 *
 * @param packages names or install specs, separated by spaces
 * @param userAgent variable that package managers set for the scripts that they run, such as
 * `pnpm/10.2.0 npm/? node/v22.1.0 linux x64`
 */
export function installCommand(
  packages: string,
  // Workers may have no `process`.
  userAgent = globalThis.process?.env.npm_config_user_agent,
): string {
  const [, name = ''] = /^([a-z]+)\//.exec(userAgent ?? '') ?? []
  return `${managersWithAdd.includes(name) ? `${name} add` : 'npm install'} ${packages}`
}
