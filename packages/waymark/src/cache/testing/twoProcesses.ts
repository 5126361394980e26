import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { bundleTestProgram, kill, startProgram } from '../../shared/testing/processes.ts'

/** Report from a process that wrote and read keys. */
export type WriterReport = {
  readonly last: readonly string[]
  readonly reads: { readonly local: number; readonly others: number }
  /** Values that were cut off or mixed, and old values that have reappeared. */
  readonly problems: readonly string[]
  readonly lines: readonly string[]
}

export type SharedStore = {
  /** URL of a program that calls `runStoreProgram`. */
  readonly program: URL
  readonly address: string
  readonly outDir: string
}

/**
 * Makes two real processes lease the same names at the same moments, for some time.
 * @returns the names that each process got
 */
export async function leaseInTwoProcesses(
  store: SharedStore,
  ms: number,
): Promise<[string[], string[]]> {
  const start = await bundleStore(store)
  const [one, two] = await Promise.all([start('lease', ms), start('lease', ms)])
  return Promise.all([reportBy<string[]>(one), reportBy<string[]>(two)])
}

/** Makes a real process lease the name `left`, then kills the process. */
export async function leaseAndDie(store: SharedStore): Promise<void> {
  const start = await bundleStore(store)
  const child = await start('leave')
  child.stdin?.write('go\n')
  if (child.stdout) await once(child.stdout, 'data')
  await kill(child)
}

/** Makes two real processes write and read the same keys at the same time. */
export async function runTwoProcesses(
  store: SharedStore,
  { keys, ms }: { keys: number; ms: number },
): Promise<[WriterReport, WriterReport]> {
  const start = await bundleStore(store)
  const [one, two] = await Promise.all([
    start('write', 'one', keys, ms),
    start('write', 'two', keys, ms),
  ])
  return Promise.all([reportBy<WriterReport>(one), reportBy<WriterReport>(two)])
}

async function bundleStore({ program, address, outDir }: SharedStore) {
  const file = await bundleTestProgram(program, outDir)
  return (...work: readonly (string | number)[]) =>
    startProgram(file, [address, ...work.map(String)])
}

async function reportBy<T>({ stdin, stdout }: ChildProcess): Promise<T> {
  if (!stdin || !stdout) throw new Error('The process has no pipes.')
  let report = ''
  stdout.setEncoding('utf8').on('data', (text: string) => {
    report += text
  })
  stdin.write('go\n')
  await once(stdout, 'end')
  return JSON.parse(report) as T
}
