import { describe, expect, test } from 'vitest'
import { outcomeOf, type Sight, signatureOf } from './drillLoad.ts'

const whole: Sight = {
  pathname: '/trails/oak',
  lines: ['Guide', 'Lab', 'Oak', '12:01'],
  isPainted: true,
  hasNotice: false,
  hasScreen: false,
}
const signature = signatureOf(whole, { ...whole, lines: ['Guide', 'Lab', 'Oak', '12:02'] })

describe('what a person sees', () => {
  test.each<[string, Partial<Sight> | null, string]>([
    ['the page with another time of day', { lines: ['Guide', 'Lab', 'Oak', '12:03'] }, 'arrived'],
    ['the page without its styles', { lines: ['GuideLab', 'OAK'] }, 'arrived'],
    ['the page with a notice', { hasNotice: true }, 'arrived'],
    ['half of the page', { lines: ['Guide', 'Lab'] }, 'stuck'],
    ['the previous page with a notice', { pathname: '/', hasNotice: true }, 'notice'],
    ['the previous page', { pathname: '/' }, 'stuck'],
    ['a screen', { lines: ['500'], hasScreen: true }, 'screen'],
    ['the screen that was left', { pathname: '/none', hasScreen: true }, 'stuck'],
    ['nothing painted yet', { isPainted: false }, 'stuck'],
    ["the browser's own error page", { pathname: 'chrome-error:' }, 'stuck'],
    ['nothing', null, 'stuck'],
  ])('%s', (_, sight, outcome) => {
    const expected = { ...signature, screenBefore: '/none' }
    expect(outcomeOf(sight && { ...whole, ...sight }, expected)).toBe(outcome)
  })
})
