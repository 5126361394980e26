import { describe, expect, test } from 'vitest'
import { parseCommandLine } from './arguments.ts'

const defaults = {
  folder: null,
  template: null,
  install: true,
  git: true,
  yes: false,
  waymark: null,
}

test.each([
  ['', defaults],
  ['my-app', { ...defaults, folder: 'my-app' }],
  ['my-app --template tailwind', { ...defaults, folder: 'my-app', template: 'tailwind' }],
  ['-t Tailwind .', { ...defaults, folder: '.', template: 'tailwind' }],
  ['--no-install --no-git -y', { ...defaults, install: false, git: false, yes: true }],
  ['--git --yes', { ...defaults, yes: true }],
  ['--waymark file:a.tgz', { ...defaults, waymark: 'file:a.tgz' }],
])('“%s” is understood', (line, options) => {
  expect(parseCommandLine(line.split(' ').filter(Boolean))).toEqual({ kind: 'create', options })
})

test.each([
  ['--help', 'help'],
  ['my-app -h', 'help'],
  ['-v', 'version'],
])('“%s” asks for %s', (line, kind) => {
  expect(parseCommandLine(line.split(' '))).toEqual({ kind })
})

test.each([
  ['--tempalte tailwind', "Unknown option '--tempalte'.", 'See npm create'],
  ['my-app --template', "Option '-t, --template <value>' argument missing.", 'See npm create'],
  [
    'my-app --template vue',
    'There is no template named “vue”.',
    'The templates are minimal, tailwind and languages.',
  ],
  ['a b', 'Unexpected argument “b”.', 'See npm create'],
])('“%s” is a mistake', (line, message, hint) => {
  expect(parseCommandLine(line.split(' '))).toEqual({
    kind: 'mistake',
    message,
    hint: expect.stringContaining(hint),
  })
})

describe('options before the -- of npm', () => {
  const mistake = {
    kind: 'mistake',
    message: 'npm treated --template as its own option.',
  }

  test('are recognised by the value that npm passes on', () => {
    expect(parseCommandLine(['shop', 'tailwind'], { npm_config_template: 'true' })).toMatchObject({
      ...mistake,
      hint: 'Add -- before it: npm create waymark@latest shop -- --template tailwind',
    })
  })

  test('are recognised by the environment', () => {
    expect(parseCommandLine(['shop'], { npm_config_template: 'tailwind' })).toMatchObject(mistake)
  })
})
