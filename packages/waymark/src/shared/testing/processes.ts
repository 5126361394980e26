import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { vi } from 'vitest'

export async function bundleTestProgram(source: URL, outDir: string): Promise<string> {
  const { build } = await import('vite')
  await build({
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: fileURLToPath(source),
      outDir,
      target: 'node20',
      rollupOptions: { output: { entryFileNames: 'program.mjs' } },
    },
  })
  return path.join(outDir, 'program.mjs')
}

/** Starts a program, and resolves once the program has written a line. */
export async function startProgram(file: string, args: readonly string[]): Promise<ChildProcess> {
  const child = spawn(process.execPath, [file, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  await new Promise<void>((resolve, reject) => {
    child.stdout?.once('data', () => resolve())
    child.once('exit', (code) => reject(new Error(`The program exited with code ${code}.`)))
  })
  return child
}

/** Kills a program without giving it time to clean up, as in a crash. */
export async function kill(child: ChildProcess): Promise<void> {
  const exited = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await exited
}

/** Waits until a check succeeds, for as long as a slow machine may take. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 40_000, interval: 20 })
}
