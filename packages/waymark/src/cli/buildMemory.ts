import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { totalmem } from 'node:os'
import type { Terminal } from './terminal.ts'

/** Memory that a build may use, in MB. */
export type BuildMemory = {
  /** Memory of the container or the machine. */
  readonly limitMb: number
  /** Maximum size of the JavaScript heap. */
  readonly heapMb: number
}

// Below this limit, V8 has to collect garbage early. Above it, builds of common apps fit.
const smallMb = 2_048

// V8's own size for new objects depends on Node's version. This one saves 200 MB in a large build.
const semiSpaceMb = 4

const mebibyte = 2 ** 20
const heapFlag = /--max[-_]old[-_]space[-_]size[= ](\d+)/

/**
 * Decides how much memory a build may use.
 * @param nodeOptions value of `NODE_OPTIONS`
 * @param limitBytes memory of the container or the machine
 * @returns `null` if the build needs no limit
 */
export function readBuildMemory(
  nodeOptions: string,
  limitBytes: number = systemMemory(),
): BuildMemory | null {
  const limitMb = Math.floor(limitBytes / mebibyte)
  const [, chosen] = heapFlag.exec(nodeOptions) ?? []
  if (chosen !== undefined) return { limitMb, heapMb: Number(chosen) }
  return limitMb < smallMb ? { limitMb, heapMb: Math.floor(limitMb / 2) } : null
}

function systemMemory(): number {
  // Without a container's limit, the value is 0 or larger than the machine's memory.
  const constrained = process.constrainedMemory()
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
}

/**
 * Runs this program again, in a process with limited memory. If the system or V8 ends that process,
 * this one can still say why.
 * @returns the exit code
 */
export async function runWithin(memory: BuildMemory, terminal: Terminal): Promise<number> {
  const { limitMb, heapMb } = memory
  if (limitMb < smallMb) {
    terminal.print(
      `This build may use ${limitMb} MB of memory, so its JavaScript heap is limited to ${heapMb} MB.`,
    )
  }
  const flags = [`--max-old-space-size=${heapMb}`, `--max-semi-space-size=${semiSpaceMb}`]
  const args = [...flags, ...process.execArgv, ...process.argv.slice(1)]
  // glibc keeps freed memory in an arena for each thread, for example after it has converted pictures.
  const env = { MALLOC_ARENA_MAX: '2', ...process.env }
  const child = spawn(process.execPath, args, { env, stdio: 'inherit' })
  const stop = (signal: NodeJS.Signals) => void child.kill(signal)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, stop)
  const problem = memoryProblem({ code, signal }, memory)
  if (problem !== null) terminal.fail(problem, memoryAdvice)
  return code ?? 1
}

/** Says what to do if a build ran out of memory. */
export const memoryAdvice =
  'Give the build more memory, or build on a different machine and copy the build. Keep node_modules/.cache between builds, so that pictures are converted only once. See "Memory of builds" in the guide.'

type Exit = { readonly code: number | null; readonly signal: NodeJS.Signals | null }

/** @returns `null` if the process didn't run out of memory */
export function memoryProblem(
  { code, signal }: Exit,
  { limitMb, heapMb }: BuildMemory,
): string | null {
  // V8 aborts the process. A shell adds the number of a signal to 128.
  if (signal === 'SIGABRT' || code === 134) {
    return `The build ran out of memory: its JavaScript heap is limited to ${heapMb} MB.`
  }
  if (signal === 'SIGKILL' || code === 137) {
    return `The system ended the build, most likely because the build needed more than ${limitMb} MB of memory.`
  }
  return null
}
