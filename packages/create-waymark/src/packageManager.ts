/** A package manager that can install an app. */
export type PackageManager = {
  readonly name: 'npm' | 'pnpm' | 'yarn' | 'bun'
  /** Arguments that install, with little to read. */
  readonly installArguments: readonly string[]
  /** The command that runs a script of the manifest. */
  run(script: string): string
}

const managers: readonly PackageManager[] = [
  {
    name: 'npm',
    installArguments: ['install', '--no-audit', '--no-fund', '--loglevel=error'],
    run: (script) => (script === 'start' ? 'npm start' : `npm run ${script}`),
  },
  { name: 'pnpm', installArguments: ['install'], run: (script) => `pnpm ${script}` },
  { name: 'yarn', installArguments: ['install'], run: (script) => `yarn ${script}` },
  { name: 'bun', installArguments: ['install'], run: (script) => `bun run ${script}` },
]

const [npm] = managers as [PackageManager]

/**
 * Tells which package manager started this program; npm when none says so.
 * @param userAgent `npm_config_user_agent`, as `pnpm/10.2.0 npm/? node/v22.1.0 linux x64`
 */
export function detectPackageManager(userAgent: string | undefined): PackageManager {
  const [, name] = /^([a-z]+)\//.exec(userAgent ?? '') ?? []
  return managers.find((manager) => manager.name === name) ?? npm
}
