import { describe, expect, it } from 'vitest'
import { screenScript } from './screenDocument.ts'

describe('the script of a screen’s document', () => {
  it('is valid as an inline script', () => {
    expect(() => new Function(screenScript)).not.toThrow()
    expect(screenScript).not.toMatch(/<\/script|<!--/i)
  })
})
