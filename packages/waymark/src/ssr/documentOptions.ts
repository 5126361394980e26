import type { ByteChannel } from '../shared/stream.ts'

/** What a document is rendered with. */
export type DocumentOptions = {
  readonly onError: (thrown: unknown) => string
  /** HTML that says what a part failed with whose document has begun already. */
  readonly lateMarkup: (thrown: unknown) => string
  /** HTML for the very start of the head, outside of React's tree: the theme's script. */
  readonly headStart: string
  /** Client components that do nothing until a navigation, as `file#name`. */
  readonly passive: ReadonlySet<string>
  /** Whether it is for one person: its forms then have keys of their own. */
  readonly hasFormKeys: boolean
  readonly nonce?: string | undefined
  /** React's form state as Flight, all of it: what a form without a script was answered with. */
  readonly formState?: ByteChannel | undefined
}

/** What React's renderers are given besides the form state, which they take as an object. */
export type RenderOptions = Omit<DocumentOptions, 'formState'>
