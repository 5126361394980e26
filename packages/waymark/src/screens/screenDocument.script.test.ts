import { describe, expect, it } from 'vitest'
import { screenScript } from './screenDocument.ts'

describe('the script of a screen’s document', () => {
  it('can stand inline', () => {
    expect(() => new Function(screenScript)).not.toThrow()
    expect(screenScript).not.toMatch(/<\/script|<!--/i)
  })
})
