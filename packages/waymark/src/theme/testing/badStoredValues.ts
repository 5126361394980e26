/** What may stand in storage under the theme's key and means nothing. */
export const badStoredValues: readonly (readonly [name: string, stored: string | null])[] = [
  ['nothing', null],
  ['an empty text', ''],
  ['an unknown name', 'purple'],
  ['other case', 'Dark'],
  ['a space before', ' dark'],
  ['JSON', '"dark"'],
  ['a number', '1'],
  ['a list', 'light,dark'],
  ['a name of Object.prototype', 'constructor'],
  ['a name that reaches prototypes', '__proto__'],
  ['markup', '"><script>alert(1)</script>'],
  ['a null character', 'dark\0'],
  ['5 MB', 'd'.repeat(5 * 1024 * 1024)],
]
