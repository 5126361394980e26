import { FrameworkError } from '../shared/errors.ts'
import { type Command, type CommandInput, parseCommandLine } from './arguments.ts'
import type { CommandName } from './commands.ts'
import { processTerminal } from './terminal.ts'

// Loaded when asked for: `start` has to listen before Vite would even be read.
const commands: Readonly<Record<CommandName, () => Promise<Command>>> = {
  dev: async () => (await import('./devCommand.ts')).dev,
  build: async () => (await import('./buildCommand.ts')).build,
  start: async () => (await import('./startCommand.ts')).start,
  errors: async () => (await import('./errorsCommand.ts')).errors,
  doctor: async () => (await import('./doctorCommand.ts')).doctor,
  routes: async () => (await import('./routesCommand.ts')).routes,
  types: async () => (await import('./typesCommand.ts')).types,
  info: async () => (await import('./infoCommand.ts')).info,
}

/**
 * Runs a command line.
 * @param argv without the program's own name
 * @returns the exit code: 0 done, 1 failed, 2 not understood
 */
export async function run(argv: readonly string[]): Promise<number> {
  const terminal = processTerminal()
  const line = parseCommandLine(argv)
  switch (line.kind) {
    case 'version':
      terminal.print((await import('../node/version.ts')).waymarkVersion())
      return 0
    case 'help': {
      const { commandHelp, generalHelp } = await import('./help.ts')
      terminal.print(line.command ? commandHelp(line.command) : generalHelp())
      return 0
    }
    case 'mistake':
      terminal.fail(line.message, line.hint)
      return 2
    case 'run':
      return runCommand(line.command, { options: line.options, terminal })
  }
}

async function runCommand(name: CommandName, input: CommandInput): Promise<number> {
  try {
    const command = await commands[name]()
    return await command(input)
  } catch (thrown) {
    // A mistake of the app's author is told by its message; only a bug needs a stack.
    if (!(thrown instanceof FrameworkError)) input.terminal.failWith(thrown)
    else input.terminal.fail(thrown.message, stackOf(thrown.cause))
    return 1
  }
}

function stackOf(cause: unknown): string | undefined {
  return cause instanceof Error ? cause.stack : undefined
}
