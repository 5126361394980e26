import type { PartialShell } from '../wire/payload.ts'
import type { StreamedBody } from './response.ts'
import type { ByteChannel } from './stream.ts'

export type DocumentOptions = {
  readonly onError: (thrown: unknown) => string
  readonly streamErrorMarkup: (thrown: unknown) => string
  /** HTML to insert at the start of the head, outside of React's tree: the theme script. */
  readonly headStart: string
  /** HTML to insert into the head of a document that is sent before its page has been rendered completely. */
  readonly incompleteHead?: string
  /** Keys of the client references that the page may show. Their code is loaded before the page renders. */
  readonly clientFiles: ReadonlySet<string>
  /**
   * Returns true if the page, as far as it has been rendered, needs React in the browser at once.
   */
  readonly needsReact: () => boolean
  /** Variant whose code the document loads. `null` if the app has no variants. */
  readonly variant: string | null
  readonly hasFormKeys: boolean
  /**
   * Returns the encrypted id of the user for whom the page is rendered, if the page has set it. The
   * page's forms contain it.
   */
  readonly sealedUser?: (() => string | null) | undefined
  readonly rootFile?: string | undefined
  readonly nonce?: string | undefined
  /** React's form state as Flight: the result of a form that was submitted without JavaScript. */
  readonly formState?: ByteChannel | undefined
}

type ShellOptions = Omit<DocumentOptions, 'streamErrorMarkup' | 'formState' | 'hasFormKeys'>

type ResumeOptions = Omit<DocumentOptions, 'formState' | 'hasFormKeys'> & {
  readonly shell: PartialShell
}

/**
 * Interface between the two server environments. `rsc` writes Flight, and `ssr` turns it into HTML.
 */
export type DocumentRenderer = {
  /**
   * Renders a document.
   * @returns a string if the payload is complete, otherwise a stream
   * @throws errors from the shell
   */
  renderDocument(channel: ByteChannel, options: DocumentOptions): Promise<string | StreamedBody>
  /** Renders a shell. @returns `null` for an empty shell, and for a shell without holes */
  renderShell(
    channel: ByteChannel,
    options: ShellOptions,
  ): Promise<Pick<PartialShell, 'html' | 'postponed'> | null>
  /**
   * Fills the holes of a shell.
   * @param channel the request's payload, whose shape must equal the shell's
   */
  resumeDocument(channel: ByteChannel, options: ResumeOptions): Promise<StreamedBody>
}
