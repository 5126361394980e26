/**
 * Returns text for one line of the terminal. The text may come from a server, so it loses characters
 * that control the terminal or change the writing direction.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
}
