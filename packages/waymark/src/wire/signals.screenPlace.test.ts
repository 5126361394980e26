import { expect, test } from 'vitest'
import { decodeScreenPlace, encodeScreenPlace } from './signals.ts'

test.each([
  { status: 404, slot: 'children', key: '/shop' },
  { status: 403, slot: 'side', key: '/a;b:id=%3B;' },
  { status: 401, slot: '', key: '' },
])('a place is the same after encoding and decoding: %o', (place) => {
  expect(decodeScreenPlace(encodeScreenPlace(place))).toEqual(place)
})

test.each(['', '1', '404', '404;children', '500;children;/', '4040;children;/', '200;;'])(
  "an invalid text isn't a place: %s",
  (text) => {
    expect(decodeScreenPlace(text)).toBeNull()
  },
)
