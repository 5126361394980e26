import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { type Contract, contractName, parseContract } from '../contract/contractFile.ts'
import { readFactsIfPossible } from './titlesOfFile.ts'

/** An app's contract.txt. `problem` is a sentence for the developer. */
export type ContractFile =
  | { readonly kind: 'read'; readonly contract: Contract; readonly writtenAtMs: number }
  | { readonly kind: 'unreadable'; readonly problem: string }

/**
 * Reads an app's contract. People edit and merge the file, so it may contain anything.
 * @returns `null` if the app has no contract
 */
export async function readContractFile(root: string): Promise<ContractFile | null> {
  const file = join(root, contractName)
  try {
    const text = await readFile(file, 'utf8')
    const conflict = text.split('\n').findIndex((line) => /^(?:<{7}|={7}|>{7})/.test(line))
    if (conflict >= 0) {
      const problem = `${contractName} has a merge conflict at line ${conflict + 1}. Resolve the conflict, or delete the file and write it again.`
      return { kind: 'unreadable', problem }
    }
    const contract = parseContract(text)
    return { kind: 'read', contract, writtenAtMs: (await stat(file)).mtimeMs }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    return { kind: 'unreadable', problem: `${contractName} can't be read. ${messageOf(error)}` }
  }
}

const maxMessageLength = 300

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.length > maxMessageLength ? `${message.slice(0, maxMessageLength)}…` : message
}

// A checkout writes all files at almost the same time, in any order.
const toleranceMs = 5_000

/**
 * Finds the newest file of the app that has changed after its contract was written. Looks at the
 * folder with the routes, and at all modules of the last build.
 * @param appDir absolute path of the folder with the app's routes
 * @returns the path relative to the root, with forward slashes; `null` if no file is newer
 */
export async function findNewerFile(
  { root, appDir }: { readonly root: string; readonly appDir: string },
  writtenAtMs: number,
): Promise<string | null> {
  const built = Object.keys(readFactsIfPossible(root)?.imports ?? {})
  const builtFiles = built.map((file) => join(root, file))
  const files = new Set([...(await listFiles(appDir)), ...builtFiles])
  const times = await Promise.all(
    [...files].map(async (file) => ({ file, changedAtMs: await changedAt(file) })),
  )
  const [newest] = times.sort((a, b) => b.changedAtMs - a.changedAtMs)
  if (!newest || newest.changedAtMs <= writtenAtMs + toleranceMs) return null
  return relative(root, newest.file).split(sep).join('/')
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

async function changedAt(file: string): Promise<number> {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
}
