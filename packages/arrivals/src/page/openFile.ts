import { spawn } from 'node:child_process'

/** Opens a file with the system's default program. Does nothing if the system has no such program. */
export function openFile(file: string, platform: NodeJS.Platform = process.platform): void {
  const [program, args] = openerOf(file, platform)
  const child = spawn(program, args, { detached: true, stdio: 'ignore' })
  child.on('error', () => {})
  child.unref()
}

export function openerOf(
  file: string,
  platform: NodeJS.Platform,
): readonly [program: string, args: readonly string[]] {
  switch (platform) {
    case 'darwin':
      return ['open', [file]]
    case 'win32':
      return ['explorer.exe', [file]]
    default:
      return ['xdg-open', [file]]
  }
}
