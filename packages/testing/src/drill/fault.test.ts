import { describe, expect, test } from 'vitest'
import { createFaultRules, type ProxiedRequest } from './fault.ts'

const request = (target: string): ProxiedRequest => ({ method: 'GET', target, headers: {} })

describe('fault rules', () => {
  test('affect the requests that they match, and count them', () => {
    const rules = createFaultRules()
    const rule = rules.inject({ kind: 'hang' }, { match: ({ target }) => target.endsWith('.rsc') })
    expect(rules.take(request('/a'))).toBeNull()
    expect(rules.take(request('/a.rsc'))).toEqual({ kind: 'hang' })
    expect(rule.hits).toBe(1)
  })

  test('the rule that was added last wins', () => {
    const rules = createFaultRules()
    rules.inject({ kind: 'hang' })
    const last = rules.inject({ kind: 'reset' })
    expect(rules.take(request('/'))).toEqual({ kind: 'reset' })
    last.remove()
    expect(rules.take(request('/'))).toEqual({ kind: 'hang' })
  })

  test('end after the given number of requests', () => {
    const rules = createFaultRules()
    const rule = rules.inject({ kind: 'reset' }, { times: 2 })
    const kinds = [1, 2, 3].map(() => rules.take(request('/'))?.kind)
    expect(kinds).toEqual(['reset', 'reset', undefined])
    expect(rule.hits).toBe(2)
  })

  test('are all removed by clear()', () => {
    const rules = createFaultRules()
    rules.inject({ kind: 'reset' })
    rules.clear()
    expect(rules.take(request('/'))).toBeNull()
  })
})
