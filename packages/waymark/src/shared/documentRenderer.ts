import type { PartialShell } from './payload.ts'
import type { StreamedBody } from './response.ts'
import type { ByteChannel } from './stream.ts'

export type DocumentOptions = {
  readonly onError: (thrown: unknown) => string
  /** HTML that reports an error after the document has begun. */
  readonly lateMarkup: (thrown: unknown) => string
  /** HTML for the start of the head, outside React's tree: the theme script. */
  readonly headStart: string
  /** HTML for the head of a document with parts that come later. */
  readonly incompleteHead?: string
  /** Client components that do nothing before a navigation, as `file#name`. */
  readonly passive: ReadonlySet<string>
  /** True for a document of one visitor: its forms get idempotency keys. */
  readonly hasFormKeys: boolean
  /** The layout that renders `<html>`, for error messages. */
  readonly rootFile?: string | undefined
  readonly nonce?: string | undefined
  /** React's form state as Flight: the result of a form submitted without a script. */
  readonly formState?: ByteChannel | undefined
}

type ShellOptions = Omit<DocumentOptions, 'lateMarkup' | 'formState' | 'hasFormKeys'>

type ResumeOptions = Omit<DocumentOptions, 'formState' | 'hasFormKeys'> & {
  readonly shell: PartialShell
}

/** Contract of the two server environments: `rsc` writes Flight, `ssr` turns it into HTML. */
export type DocumentRenderer = {
  /**
   * Renders a payload to HTML, with the payload inlined for the client.
   * @returns a text when the payload was complete, else a stream
   * @throws what the shell threw; nothing can be sent then
   */
  renderDocument(flight: ByteChannel, options: DocumentOptions): Promise<string | StreamedBody>
  /**
   * Renders a shell from an incomplete payload.
   * @param flight a payload that stays incomplete
   * @returns `null` for an empty shell, and for one without holes
   */
  renderShell(
    flight: ByteChannel,
    options: ShellOptions,
  ): Promise<Pick<PartialShell, 'html' | 'postponed'> | null>
  /**
   * Renders the rest of a document after its shell.
   * @param flight the request's payload, of the same shape as the shell's
   */
  resumeDocument(flight: ByteChannel, options: ResumeOptions): Promise<StreamedBody>
}
