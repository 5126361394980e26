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
    const files = loadEnvFiles(folder, 'production', env)
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
    expect(loadEnvFiles('/nowhere', 'production', env)).toEqual([])
    expect(env).toEqual({})
  })
})

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: contents of files
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
