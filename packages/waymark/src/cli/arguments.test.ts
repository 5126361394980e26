import { describe, expect, test } from 'vitest'
import { commandIn, parseCommandLine } from './arguments.ts'
import { type CommandDescription, describeCoreCommand, isCoreCommand } from './commands.ts'

/** A command as a package describes it. */
const doctor: CommandDescription = {
  details: 'Checks servers.',
  operands: '[url...]',
  options: { json: { text: 'Print JSON.' } },
  mode: 'production',
}

function parse(line: string) {
  const argv = line.split(' ').filter(Boolean)
  const name = commandIn(argv)
  const isCommand = name === 'doctor' || (name !== null && isCoreCommand(name))
  const commandDescription =
    name !== null && isCoreCommand(name) ? describeCoreCommand(name) : doctor
  const description = isCommand ? commandDescription : null
  return { command: name, ...parseCommandLine(argv, description) }
}

describe('a command line', () => {
  test.each([
    ['dev', { command: 'dev', options: {} }],
    ['dev --port 4000', { command: 'dev', options: { port: 4000 } }],
    ['dev --port=0 --host 0.0.0.0', { command: 'dev', options: { port: 0, host: '0.0.0.0' } }],
    ['start my-app', { command: 'start', options: { folder: 'my-app' } }],
    [
      'build --types --assets-from deployed site',
      { command: 'build', options: { types: true, 'assets-from': 'deployed', folder: 'site' } },
    ],
    [
      'start --trust-proxy 10.0.0.1,loopback',
      {
        command: 'start',
        options: { 'trust-proxy': ['10.0.0.1', '127.0.0.0/8', '::1'] },
      },
    ],
    [
      'start --drain-delay 5s --drain-timeout 1m',
      { command: 'start', options: { 'drain-delay': 5_000, 'drain-timeout': 60_000 } },
    ],
    [
      'doctor http://a:1 https://b --json',
      { command: 'doctor', options: { operands: ['http://a:1', 'https://b'], json: true } },
    ],
    ['start --workers 4', { command: 'start', options: { workers: 4 } }],
    ['routes --json', { command: 'routes', options: { json: true } }],
    ['build -- --out', { command: 'build', options: { folder: '--out' } }],
  ])('waymark %s', (line, expected) => {
    expect(parse(line)).toEqual({ kind: 'run', ...expected })
  })

  test.each([
    ['help dev', 'dev'],
    ['dev --help', 'dev'],
    ['build --types -h', 'build'],
  ])('waymark %s asks for the help for a command', (line, command) => {
    const usage = `Usage: waymark ${command} `
    expect(parse(line)).toMatchObject({ kind: 'help', text: expect.stringContaining(usage) })
  })

  test.each(['', '--help', '-h', 'help'])('waymark %s asks for the general help', (line) => {
    expect(parse(line)).toMatchObject({ kind: 'general-help' })
  })

  test.each(['--version', '-v'])('waymark %s asks for the version', (line) => {
    expect(parse(line)).toMatchObject({ kind: 'version' })
  })

  test.each([
    ['bild', 'There is no command bild.', expect.stringMatching(/^The commands are dev, build, /)],
    [
      '--port 3000 dev',
      'The option --port must come after the command.',
      expect.stringContaining('waymark build'),
    ],
    [
      'dev --prot 3000',
      expect.stringMatching(/^Unknown option '--prot'/),
      'See waymark dev --help.',
    ],
    ['start --static', expect.stringContaining("'--static'"), 'See waymark start --help.'],
    ['dev --port', expect.stringMatching(/'--port <value>' argument missing/), expect.any(String)],
    ['dev --port --verbose', expect.stringContaining('--port'), 'See waymark dev --help.'],
    ['dev --port=', '--port needs a value: number.', 'A port is a number from 0 to 65535.'],
    ['dev --port 99999', "--port can't be 99999.", 'A port is a number from 0 to 65535.'],
    ['dev --port 3k', "--port can't be 3k.", 'A port is a number from 0 to 65535.'],
    [
      'start --trust-proxy everybody',
      "--trust-proxy can't be everybody.",
      'Separate addresses and ranges with commas, such as 10.0.0.0/8,::1, or use loopback or private.',
    ],
    [
      'start --drain-delay 5',
      "--drain-delay can't be 5.",
      'A duration is a number with a unit, such as 10s, 2m, 1h or 7d.',
    ],
    [
      'start --workers 0',
      "--workers can't be 0.",
      'Use a number from 1 to 999. One per core is a good start.',
    ],
    ['errors --since yesterday', "--since can't be yesterday.", expect.any(String)],
    ['errors --limit 0', "--limit can't be 0.", 'Use a positive number: --limit 100.'],
    ['errors --limit all', "--limit can't be all.", 'Use a positive number: --limit 100.'],
    ['doctor --junit', expect.stringContaining("'--junit'"), 'See waymark doctor --help.'],
    ['build --types=yes', expect.stringContaining('does not take an argument'), expect.any(String)],
    [
      'build --static',
      'waymark build has no option --static. Set the host in the Vite configuration.',
      "Add to vite.config.ts: import { staticSite } from 'waymark/vite', then waymark({ adapter: staticSite() }).",
    ],
    [
      'build site --out=www',
      expect.stringContaining('--out'),
      expect.stringContaining("staticSite({ out: 'public_html' })"),
    ],
    [
      'build --allow-missing',
      expect.stringContaining('--allow-missing'),
      expect.stringContaining('staticSite({ allowMissing: true })'),
    ],
    [
      'build --target workerd',
      expect.stringContaining('--target'),
      "Add to vite.config.ts: import { workerd } from '@waymark/cloudflare', then waymark({ adapter: workerd() }).",
    ],
    ['dev one two', 'Unexpected argument two.', 'Usage: waymark dev [folder] [options]'],
  ])('waymark %s is refused', (line, message, hint) => {
    expect(parse(line)).toMatchObject({ kind: 'mistake', message, hint })
  })
})

test("values of a repeated option are joined, and a digest isn't taken for a folder", () => {
  const cookie = { value: 'name=value', separator: ';', text: 'A cookie.' }
  const description = { ...doctor, operands: '[digest] [folder]', options: { cookie } }
  const argv = ['replay', 'app', '--cookie', 'a=1', '6R3V0M2KX7Q', '--cookie', 'b=2']
  const options = { cookie: 'a=1;b=2', digest: '6r3v-0m2k-x7q', folder: 'app' }
  expect(parseCommandLine(argv, description)).toEqual({ kind: 'run', options })
})
