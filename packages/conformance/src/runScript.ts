import { spawn } from 'node:child_process'

/**
 * Runs one of the adapter's scripts in a shell. The script's errors go to this process's standard
 * error.
 * @returns what the script printed
 * @throws if the script ends with a code other than 0, or not within `timeoutMs`
 */
export async function runScript(
  command: string,
  { cwd, timeoutMs }: { readonly cwd: string; readonly timeoutMs: number },
): Promise<string> {
  const child = spawn(command, {
    cwd,
    shell: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: timeoutMs,
  })
  const ended = new Promise<void>((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code, signal) => {
      if (code === 0) return resolve()
      const how =
        signal === 'SIGTERM'
          ? `was stopped after ${timeoutMs / 1000} s`
          : `ended with ${code ?? signal}`
      reject(new Error(`The script “${command}” ${how}.`))
    })
  })
  const printed = collect(child.stdout)
  await ended
  return printed()
}

/**
 * Collects output until the returned function is called. A script may leave a server behind that
 * keeps the output open, so this function doesn't wait for the end of the output.
 */
function collect(output: NodeJS.ReadableStream): () => string {
  let printed = ''
  output.setEncoding('utf8')
  output.on('data', (piece: string) => {
    printed += piece
  })
  return () => {
    ;(output as NodeJS.ReadableStream & { destroy(): void }).destroy()
    return printed
  }
}
