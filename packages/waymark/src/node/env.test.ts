import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../shared/testing/temporaryFolder.ts'
import { type Environment, expandValue, loadEnvFiles } from './env.ts'

describe('env files', () => {
  test('override each other in the order of their names', () => {
    const folder = temporaryFolder({
      '.env': 'A=1\nB=1\nC=1\nD=1',
      '.env.local': 'B=2\nC=2\nD=2',
      '.env.production': 'C=3\nD=3',
      '.env.production.local': 'D=4',
      '.env.development': 'A=9',
    })
    const env: Environment = {}
    const { files } = loadEnvFiles(folder, 'production', env)
    expect(env).toEqual({ A: '1', B: '2', C: '3', D: '4' })
    expect(files).toEqual(['.env', '.env.local', '.env.production', '.env.production.local'])
  })

  test('do not override existing variables', () => {
    const env: Environment = { A: 'given' }
    loadEnvFiles(temporaryFolder({ '.env': 'A=file\nB=$A' }), 'production', env)
    expect(env).toEqual({ A: 'given', B: 'given' })
  })

  test('are read again, without their earlier values', () => {
    const env: Environment = { KEPT: '1' }
    loadEnvFiles(temporaryFolder({ '.env': 'A=1\nB=1' }), 'development', env)
    loadEnvFiles(temporaryFolder({ '.env': 'A=2' }), 'development', env)
    expect(env).toEqual({ KEPT: '1', A: '2' })
  })

  test('may be missing', () => {
    const env: Environment = {}
    expect(loadEnvFiles('/nowhere', 'production', env)).toEqual({ files: [], warnings: [] })
    expect(env).toEqual({})
  })
})

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: contents of files
describe('a reference to a variable that does not exist', () => {
  const read = (files: Record<string, string>, env: Environment = {}) =>
    loadEnvFiles(temporaryFolder(files), 'production', env).warnings

  test.each([
    ['unquoted', 'A=1\nDB_PASS=*^$php&!Bz', '.env:2'],
    ['in single quotes', "DB_PASS='*^$php&!Bz'", '.env:1'],
    ['in double quotes', '\n\nexport DB_PASS = "*^$php&!Bz"', '.env:3'],
    ['in braces', 'DB_PASS=*^${php}&!Bz', '.env:1'],
    ['in a value of several lines', 'A=$B\nB=1\nDB_PASS="one\ntwo\n$php"', '.env:5'],
    ['beside a name with odd characters', 'A(=1\nDB_PASS=$php', '.env:2'],
    ['in the definition that counts', 'DB_PASS=$B\nB=1\nDB_PASS=$php', '.env:3'],
  ])('is reported, %s', (_title, text, place) => {
    const warnings = read({ '.env': text })
    expect(warnings).toEqual([expect.stringMatching(`^${place}: In the value of DB_PASS, `)])
    expect(warnings[0]).toContain('Write \\$ for a dollar sign')
    // The reference may be a part of a secret.
    expect(warnings[0]).not.toContain('php')
  })

  test('is reported without a name that may be a line of a secret', () => {
    const warnings = read({ '.env': 'CREDENTIALS={\n"password": "hunter2=$php"\n}' })
    expect(warnings).toEqual([expect.stringMatching(/^\.env:2: In this line, /)])
    expect(warnings[0]).not.toContain('hunter2')
  })

  test('is reported with the file whose value counts', () => {
    const files = { '.env': 'A=$NONE', '.env.production': 'B=1\nA=$NEITHER' }
    expect(read(files)).toEqual([expect.stringMatching(/^\.env\.production:2: /)])
  })

  test.each([
    ['an escaped dollar sign', 'A=\\$php'],
    ['a default', 'A=${NONE:-}'],
    ['a variable of a file', 'A=$B\nB='],
    ['a variable of the environment', 'A=$HOST'],
    ['a dollar sign without a name', 'A=5$ $1 $$'],
    ['a comment', 'A=1 # $NONE'],
    ['a variable that the environment overrides', 'HOST=$NONE'],
  ])('is not found in %s', (_title, text) => {
    expect(read({ '.env': text }, { HOST: 'db' })).toEqual([])
  })
})

describe('a value', () => {
  const parsed = { HOST: 'db', URL: 'http://$HOST', LOOP: '$LOOP2', LOOP2: '$LOOP', EMPTY: '' }
  test.each([
    ['plain', 'plain'],
    ['$HOST:5432', 'db:5432'],
    ['${HOST}s', 'dbs'],
    ['${NONE:-other}', 'other'],
    ['${EMPTY:-other}', 'other'],
    ['${HOST:-other}', 'db'],
    ['$NONE', ''],
    ['\\$HOST', '$HOST'],
    ['$URL/x', 'http://db/x'],
    ['$LOOP', ''],
    ['5$', '5$'],
  ])('%s becomes %s', (value, expected) => {
    expect(expandValue(value, parsed, {})).toBe(expected)
  })
})
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: contents of files
