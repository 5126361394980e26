import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'

export type Environment = Record<string, string | undefined>

// Names of the variables that this process has set. When the dev server restarts, it removes them
// first, because they would override the `.env` files.
const loadedNames = new WeakMap<Environment, readonly string[]>()

/**
 * Loads an app's `.env` files according to Vite's rules. Existing variables override all files.
 * `$NAME` and `${NAME:-default}` are expanded.
 * @returns the names of the `.env` files that exist
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

export function readNamesOfEnvFiles(folder: string, mode: string): string[] {
  const names = readEnvFiles(folder, mode).flatMap(({ variables }) => Object.keys(variables))
  return [...new Set(names)]
}

type Variables = Readonly<Record<string, string>>

function readEnvFiles(folder: string, mode: string): { name: string; variables: Variables }[] {
  return envFileNames(mode).flatMap((name) => {
    try {
      const text = readFileSync(join(folder, name), 'utf8')
      return [{ name, variables: parseEnv(text) as Variables }]
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOENT' || code === 'EISDIR') return []
      throw error
    }
  })
}

/** Returns the names of the `.env` files for a mode. Later files override earlier ones. */
export function envFileNames(mode: string): string[] {
  return ['.env', '.env.local', `.env.${mode}`, `.env.${mode}.local`]
}

/** A backslash escapes a dollar sign. @param env variables that take precedence and aren't expanded */
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
    const variable = env[name]
    if (variable !== undefined) return variable || fallback
    const parsedValue = parsed[name]
    // A circular reference expands to nothing.
    if (parsedValue === undefined || parsedValue === '' || expanding.includes(name)) return fallback
    return expandValue(parsedValue, parsed, env, [...expanding, name])
  })
}
