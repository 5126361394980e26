import { once } from 'node:events'
import { bundleProgram, startProgram } from '../../shared/testing/processes.ts'

/** What a process tells that wrote and read keys. */
export type WriterReport = {
  /** What it wrote last to each key. */
  readonly last: readonly string[]
  readonly reads: { readonly own: number; readonly others: number }
  /** Values that were cut or mixed, and values that came back. */
  readonly problems: readonly string[]
  /** What its driver has logged. */
  readonly lines: readonly string[]
}

/** Where two processes write. */
export type SharedStore = {
  readonly kind: 'files' | 'redis'
  /** A folder; or a URL and a prefix, with a space between. */
  readonly address: string
  /** For the program. */
  readonly outDir: string
}

/** Lets two real processes write and read the same keys at once, for some time. */
export async function runTwoProcesses(
  { kind, address, outDir }: SharedStore,
  { keys, ms }: { keys: number; ms: number },
): Promise<[WriterReport, WriterReport]> {
  const program = await bundleProgram(new URL('./writeAndRead.ts', import.meta.url), outDir)
  const start = (name: string) =>
    startProgram(program, [kind, address, name, String(keys), String(ms)])
  const [one, two] = await Promise.all([start('one'), start('two')])
  const reports = [one, two].map(async ({ stdin, stdout }) => {
    if (!stdin || !stdout) throw new Error('The process has no pipes.')
    let told = ''
    stdout.setEncoding('utf8').on('data', (text: string) => {
      told += text
    })
    stdin.write('go\n')
    await once(stdout, 'end')
    return JSON.parse(told) as WriterReport
  })
  return (await Promise.all(reports)) as [WriterReport, WriterReport]
}
