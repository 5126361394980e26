import { type Command, parseCommandLine } from './arguments.ts'
import type { CommandName } from './commands.ts'
import { failCommand, processTerminal } from './terminal.ts'

// Loaded when needed: `start` must not wait until Vite is loaded.
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
 * @returns the exit code: 0 done, 1 failed, 2 not a valid command line
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
      try {
        const command = await commands[line.command]()
        return await command({ options: line.options, terminal })
      } catch (thrown) {
        return failCommand(terminal, thrown)
      }
  }
}
