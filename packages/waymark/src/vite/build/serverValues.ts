import { readNamesOfEnvFiles } from '../../node/envFiles.ts'

/** A value of the server's environment that browsers must not get. */
export type ServerValue = {
  readonly name: string
  readonly value: string
  /** Whether its name says that it is secret: then no page may show it either. */
  readonly isSecret: boolean
}

/** Where to look for the server's values. */
export type ServerValuesOptions = {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Folder of the `.env` files; `null` for none. */
  readonly envDir: string | null
  readonly mode: string
  /** What the names of public variables begin with. */
  readonly publicPrefixes: readonly string[]
  /** Names of others whose values anybody may know. */
  readonly publicNames: readonly string[]
}

// Shorter ones are in every bundle by chance: `true`, `3000`, `en_GB`.
const minLength = 8

const secretName =
  /(?:SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|PRIVATE|API_?KEY|ACCESS_?KEY|_KEY|_DSN|DATABASE_URL|CONNECTION_STRING)(?:_|$)/i

/**
 * Lists the values of the server's environment that a build's output for browsers must not hold:
 * those of `.env` files, and of variables whose name says so. What a machine has besides (`PATH`,
 * `LANG`) is in files by chance.
 */
export function listServerValues(options: ServerValuesOptions): ServerValue[] {
  const { env, envDir, mode, publicPrefixes, publicNames } = options
  const isPublic = (name: string) =>
    publicNames.includes(name) || publicPrefixes.some((prefix) => name.startsWith(prefix))
  const all = Object.entries(env).filter((each): each is [string, string] => each[1] !== undefined)
  const known = new Set(all.filter(([name]) => isPublic(name)).map(([, value]) => value))
  const fromFiles = new Set(envDir === null ? [] : readNamesOfEnvFiles(envDir, mode))
  return all
    .map(([name, value]) => ({ name, value: value.trim(), isSecret: secretName.test(name) }))
    .filter(({ name, isSecret }) => (isSecret || fromFiles.has(name)) && name !== 'NODE_ENV')
    .filter(({ name, value }) => !isPublic(name) && !known.has(value) && value.length >= minLength)
}
