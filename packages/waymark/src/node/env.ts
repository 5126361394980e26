import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'

export type Environment = Record<string, string | undefined>

// Names of the variables that this process has set. When the dev server restarts, it removes them
// first, because they would override the `.env` files.
const loadedNames = new WeakMap<Environment, readonly string[]>()

export type LoadedEnvFiles = {
  /** Names of the `.env` files that exist. */
  readonly files: string[]
  /** One text for each reference to a variable that doesn't exist. */
  readonly warnings: string[]
}

/**
 * Loads an app's `.env` files according to Vite's rules. Existing variables override all files.
 * `$NAME` and `${NAME:-default}` are expanded.
 */
export function loadEnvFiles(folder: string, mode: string, env: Environment): LoadedEnvFiles {
  for (const name of loadedNames.get(env) ?? []) delete env[name]
  const files = readEnvFiles(folder, mode)
  const parsed = Object.assign({}, ...files.map(({ variables }) => variables)) as Variables
  const added = Object.entries(parsed).filter(([name]) => env[name] === undefined)
  const warnings = added.flatMap(([name, value]) =>
    missingReferences(value, parsed, env).map((reference) => {
      const file = files.findLast(({ variables }) => Object.hasOwn(variables, name))
      return `${file?.name}:${lineOf(reference, name, file?.text ?? '')}: ${missingReference(name)}`
    }),
  )
  const expanded = added.map(([name, value]) => [name, expandValue(value, parsed, env)])
  Object.assign(env, Object.fromEntries(expanded))
  loadedNames.set(
    env,
    added.map(([name]) => name),
  )
  return { files: files.map(({ name }) => name), warnings }
}

export function readNamesOfEnvFiles(folder: string, mode: string): string[] {
  const names = readEnvFiles(folder, mode).flatMap(({ variables }) => Object.keys(variables))
  return [...new Set(names)]
}

type Variables = Readonly<Record<string, string>>

type EnvFile = { readonly name: string; readonly text: string; readonly variables: Variables }

function readEnvFiles(folder: string, mode: string): EnvFile[] {
  return envFileNames(mode).flatMap((name) => {
    try {
      const text = readFileSync(join(folder, name), 'utf8')
      return [{ name, text, variables: parseEnv(text) as Variables }]
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOENT' || code === 'EISDIR') return []
      throw error
    }
  })
}

// Don't repeat the reference: it may be a part of a password, and logs of builds are often public. The same is true for
// a name with unusual characters, which may come from the second line of a secret without quotes.
function missingReference(name: string): string {
  const place = /^[A-Za-z_]\w*$/.test(name) ? `the value of ${name}` : 'this line'
  return `In ${place}, a dollar sign starts the name of a variable that doesn't exist, so this part of the value is left out. Write \\$ for a dollar sign, also in single quotes.`
}

/** Returns the line of a reference, counted from 1. A value in quotes may have several lines. */
function lineOf(reference: string, name: string, text: string): number {
  const lines = text.split('\n')
  // The last definition of a variable in a file counts.
  const definition = lines.findLastIndex((line) => nameOf(line) === name)
  const distance = lines.slice(definition).findIndex((line) => line.includes(reference))
  return definition + distance + 1
}

function nameOf(line: string): string {
  const [name = ''] = line.split('=', 1)
  return name.replace(/^\s*export\s/, '').trim()
}

/** Returns the names of the `.env` files for a mode. Later files override earlier ones. */
export function envFileNames(mode: string): string[] {
  return ['.env', '.env.local', `.env.${mode}`, `.env.${mode}.local`]
}

// Matches `\$`, `${NAME}`, `${NAME:-default}` and `$NAME`.
const references = /\\\$|\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}|\$([A-Za-z_]\w*)/g

/** Returns the references of a value to variables that don't exist and have no default. */
function missingReferences(value: string, parsed: Variables, env: Readonly<Environment>): string[] {
  return [...value.matchAll(references)].flatMap(([reference, braced, fallback, bare]) => {
    const name = braced ?? bare
    if (name === undefined || fallback !== undefined) return []
    return env[name] === undefined && parsed[name] === undefined ? [reference] : []
  })
}

/** A backslash escapes a dollar sign. @param env variables that take precedence and aren't expanded */
export function expandValue(
  value: string,
  parsed: Variables,
  env: Readonly<Environment>,
  expanding: readonly string[] = [],
): string {
  return value.replace(references, (_match, braced?: string, fallback = '', bare?: string) => {
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
