import { describe, expect, test } from 'vitest'
import { parseCommandLine } from './arguments.ts'

const parse = (line: string) => parseCommandLine(line.split(' ').filter(Boolean))

describe('a command line', () => {
  test.each([
    ['dev', { command: 'dev', options: {} }],
    ['dev --port 4000', { command: 'dev', options: { port: 4000 } }],
    ['dev --port=0 --host 0.0.0.0', { command: 'dev', options: { port: 0, host: '0.0.0.0' } }],
    ['start my-app', { command: 'start', options: { folder: 'my-app' } }],
    [
      'build --static --out public-site site',
      {
        command: 'build',
        options: { static: true, out: 'public-site', folder: 'site' },
      },
    ],
    [
      'build --allow-missing --verbose',
      {
        command: 'build',
        options: { 'allow-missing': true, verbose: true },
      },
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
      'assets push s3://bucket/app my-app --dry-run',
      {
        command: 'assets',
        options: {
          task: 'push',
          destination: 's3://bucket/app',
          folder: 'my-app',
          'dry-run': true,
        },
      },
    ],
    [
      'doctor http://a:1 https://b --json',
      { command: 'doctor', options: { urls: ['http://a:1', 'https://b'], json: true } },
    ],
    ['start --workers 4', { command: 'start', options: { workers: 4 } }],
    ['routes --json', { command: 'routes', options: { json: true } }],
    ['build -- --odd', { command: 'build', options: { folder: '--odd' } }],
  ])('waymark %s', (line, expected) => {
    expect(parse(line)).toEqual({ kind: 'run', ...expected })
  })

  test.each([
    ['', null],
    ['--help', null],
    ['-h', null],
    ['help', null],
    ['help dev', 'dev'],
    ['dev --help', 'dev'],
    ['build --static -h', 'build'],
  ])('waymark %s asks for help', (line, command) => {
    expect(parse(line)).toEqual({ kind: 'help', command })
  })

  test.each(['--version', '-v'])('waymark %s asks for the version', (line) => {
    expect(parse(line)).toEqual({ kind: 'version' })
  })

  test.each([
    [
      'assets pull',
      'There is nothing called pull to do with assets.',
      'Write: waymark assets push <folder or s3://bucket>',
    ],
    ['bild', 'There is no command bild.', 'Did you mean waymark build?'],
    ['--port 3000 dev', '--port comes before a command.', 'Write the command first: waymark dev'],
    ['dev --prot 3000', 'waymark dev has no option --prot.', 'Did you mean --port?'],
    ['start --static', 'waymark start has no option --static.', 'See waymark start --help.'],
    ['dev --port', '--port needs a number.', 'Write --port <number>.'],
    ['dev --port --verbose', '--port needs a number.', 'Write --port <number>.'],
    ['dev --port 99999', '99999 is not a valid port.', 'A port is a number from 0 to 65535.'],
    ['dev --port 3k', '3k is not a valid port.', 'A port is a number from 0 to 65535.'],
    [
      'start --trust-proxy everybody',
      'everybody is not a valid list of addresses.',
      'Write addresses and ranges, separated by commas: 10.0.0.0/8,::1; or loopback, or private.',
    ],
    [
      'start --drain-delay 5',
      '5 is not a valid duration.',
      'A duration is a number with a unit, such as 10s, 2m, 1h or 7d.',
    ],
    [
      'start --workers 0',
      '0 is not a valid number of workers.',
      'Use a number from 1 to 999. One for each core is a good start.',
    ],
    ['errors --since yesterday', 'yesterday is not a valid duration.', expect.any(String)],
    ['errors --limit 0', '0 is not a valid number of lines.', 'Write --limit 100.'],
    ['errors --limit all', 'all is not a valid number of lines.', 'Write --limit 100.'],
    ['doctor a:1', 'a:1 is not the URL of a server.', 'Write http://10.0.0.1:3000'],
    ['build --static=yes', '--static takes no value.', 'Write --static.'],
    ['dev one two', 'Unexpected two.', 'Usage: waymark dev [folder] [options]'],
  ])('waymark %s is a mistake', (line, message, hint) => {
    expect(parse(line)).toEqual({ kind: 'mistake', message, hint })
  })

  test('that names nothing near lists the commands', () => {
    const line = parse('xyzzy')
    expect(line.kind === 'mistake' && line.hint).toMatch(/^The commands are dev, build, start/)
  })
})
