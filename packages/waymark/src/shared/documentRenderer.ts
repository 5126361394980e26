import type { PartialShell } from './payload.ts'
import type { StreamedBody } from './response.ts'
import type { ByteChannel } from './stream.ts'

/** What a document is rendered with, besides its payload. */
export type DocumentOptions = {
  readonly onError: (thrown: unknown) => string
  /** HTML that says which error a part had after the document was begun. */
  readonly lateMarkup: (thrown: unknown) => string
  /** HTML for the very start of the head, outside of React's tree: the theme's script. */
  readonly headStart: string
  /** HTML for the head of a document some of whose parts come later. */
  readonly incompleteHead?: string
  /** Client components that do nothing until a navigation, as `file#name`. */
  readonly passive: ReadonlySet<string>
  /** Whether it is for one person: its forms then have keys of their own. */
  readonly hasFormKeys: boolean
  /** The layout that has to render `<html>`, as errors name it. */
  readonly rootFile?: string | undefined
  readonly nonce?: string | undefined
  /** React's form state as Flight, whole: the result of a form that was sent without a script. */
  readonly formState?: ByteChannel | undefined
}

type ShellOptions = Omit<DocumentOptions, 'lateMarkup' | 'formState' | 'hasFormKeys'>

type ResumeOptions = Omit<DocumentOptions, 'formState' | 'hasFormKeys'> & {
  readonly shell: PartialShell
}

/** The contract of the two environments of the server: `rsc` writes Flight, `ssr` makes it HTML. */
export type DocumentRenderer = {
  /**
   * Renders a payload to HTML, with the same payload inlined for the client.
   * @returns a text when the payload was whole, else a stream
   * @throws what the shell threw: then nothing of the document can be sent
   */
  renderDocument(flight: ByteChannel, options: DocumentOptions): Promise<string | StreamedBody>
  /**
   * Renders as much of a document as its payload has.
   * @param flight a payload that has not ended, and will not
   * @returns `null` when there is nothing to send, or nothing that is missing
   */
  renderShell(
    flight: ByteChannel,
    options: ShellOptions,
  ): Promise<Pick<PartialShell, 'html' | 'postponed'> | null>
  /**
   * Renders what follows a shell, from where React stopped rendering that.
   * @param flight the payload for the request, of the same shape as the shell's
   */
  resumeDocument(flight: ByteChannel, options: ResumeOptions): Promise<StreamedBody>
}
