import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'

/** The variables of a process. */
export type Environment = Record<string, string | undefined>

// A dev server reads its files again when they change, with its plugins created again: the values of
// last time must go first, since the variables of an environment win over the files.
const loadedNames = new WeakMap<Environment, readonly string[]>()

/**
 * Puts the variables of an app's `.env` files into an environment, by Vite's rules: `.env`, then
 * `.env.local`, `.env.[mode]` and `.env.[mode].local`, later ones winning; what the environment
 * has already wins over all of them. `$NAME` and `${NAME:-default}` are replaced.
 * @param folder of the files
 * @returns the names of the files that exist
 */
export function loadEnvFiles(folder: string, mode: string, env: Environment): string[] {
  for (const name of loadedNames.get(env) ?? []) delete env[name]
  const files = readEnvFiles(folder, mode)
  const parsed = Object.assign({}, ...files.map(({ variables }) => variables)) as Variables
  const added = Object.entries(parsed).filter(([name]) => env[name] === undefined)
  const expanded = added.map(([name, value]) => [name, expandValue(value, parsed, env)])
  Object.assign(env, Object.fromEntries(expanded))
  loadedNames.set(
    env,
    added.map(([name]) => name),
  )
  return files.map(({ name }) => name)
}

/** The names of the variables that the `.env` files of a folder hold. */
export function readNamesOfEnvFiles(folder: string, mode: string): string[] {
  const names = readEnvFiles(folder, mode).flatMap(({ variables }) => Object.keys(variables))
  return [...new Set(names)]
}

type Variables = Readonly<Record<string, string>>

/** Reads those files that exist. */
function readEnvFiles(folder: string, mode: string): { name: string; variables: Variables }[] {
  return envFileNames(mode).flatMap((name) => {
    try {
      const text = readFileSync(join(folder, name), 'utf8')
      // Node's type says that a value may be missing; none is.
      return [{ name, variables: parseEnv(text) as Variables }]
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOENT' || code === 'EISDIR') return []
      throw error
    }
  })
}

/** The names of the files that count in a mode, the weakest first. */
export function envFileNames(mode: string): string[] {
  return ['.env', '.env.local', `.env.${mode}`, `.env.${mode}.local`]
}

/**
 * Replaces the variables in a value; a backslash keeps a dollar sign as it is.
 * @param parsed values of the files, which may hold variables themselves
 * @param env its values win and are taken as they are
 */
export function expandValue(
  value: string,
  parsed: Variables,
  env: Readonly<Environment>,
  expanding: readonly string[] = [],
): string {
  const pattern = /\\\$|\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}|\$([A-Za-z_]\w*)/g
  return value.replace(pattern, (_match, braced?: string, fallback = '', bare?: string) => {
    const name = braced ?? bare
    if (name === undefined) return '$'
    const given = env[name]
    if (given !== undefined) return given || fallback
    const own = parsed[name]
    // A variable that leads back to itself is empty, rather than endless.
    if (own === undefined || own === '' || expanding.includes(name)) return fallback
    return expandValue(own, parsed, env, [...expanding, name])
  })
}
