import { parseArgs } from 'node:util'

const commands = {
  dev: () => import('./dev.ts').then((command) => command.dev),
  build: () => import('./build.ts').then((command) => command.build),
  start: () => import('./start.ts').then((command) => command.start),
}

/** Options that a command is run with. */
export type CommandOptions = { readonly port: number; readonly host?: string; readonly root: string }

/**
 * Runs a command line.
 * @returns the exit code: 0 done, 1 failed, 2 not understood
 */
export async function run(argv: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { port: { type: 'string' }, host: { type: 'string' } },
  })
  const name = positionals[0] as keyof typeof commands
  if (!Object.hasOwn(commands, name)) {
    console.error(`Unknown command ${name}.`)
    return 2
  }
  const command = await commands[name]()
  return command({
    root: process.cwd(),
    port: Number(values.port ?? process.env.PORT ?? 3000),
    ...(values.host ? { host: values.host } : {}),
  })
}
