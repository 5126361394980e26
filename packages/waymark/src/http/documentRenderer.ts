import type { PartialShell } from '../wire/payload.ts'
import type { StreamedBody } from './response.ts'
import type { ByteChannel } from './stream.ts'

export type DocumentOptions = {
  readonly onError: (thrown: unknown) => string
  readonly streamErrorMarkup: (thrown: unknown) => string
  /** HTML to insert at the start of the head, outside of React's tree: the theme script. */
  readonly headStart: string
  /** HTML to insert into the head of a document that is sent while its page still renders. */
  readonly incompleteHead?: string
  /** Keys of the client references that the page may show. Their code is loaded before the page renders. */
  readonly clientFiles: ReadonlySet<string>
  /** True if the part of the page that has been rendered so far needs React in the browser at once. */
  readonly needsReact: () => boolean
  readonly hasFormKeys: boolean
  /** Returns the encrypted user whom the page has named so far. Forms of the page contain it. */
  readonly sealedUser?: (() => string | null) | undefined
  readonly rootFile?: string | undefined
  readonly nonce?: string | undefined
  /** React's form state as Flight: the result of a form that was sent without scripts. */
  readonly formState?: ByteChannel | undefined
}

type ShellOptions = Omit<DocumentOptions, 'streamErrorMarkup' | 'formState' | 'hasFormKeys'>

type ResumeOptions = Omit<DocumentOptions, 'formState' | 'hasFormKeys'> & {
  readonly shell: PartialShell
}

/** Interface between the two server environments: `rsc` writes Flight, and `ssr` turns it into HTML. */
export type DocumentRenderer = {
  /** @returns a text if the payload is complete, otherwise a stream @throws errors of the shell */
  renderDocument(flight: ByteChannel, options: DocumentOptions): Promise<string | StreamedBody>
  /** @returns `null` for an empty shell, and for a shell without holes */
  renderShell(
    flight: ByteChannel,
    options: ShellOptions,
  ): Promise<Pick<PartialShell, 'html' | 'postponed'> | null>
  /** @param flight the request's payload, which has the same shape as the shell's payload */
  resumeDocument(flight: ByteChannel, options: ResumeOptions): Promise<StreamedBody>
}
