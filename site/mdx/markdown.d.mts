export type MarkdownPage = {
  readonly title: string
  readonly description: string
  readonly markdown: string
}

export function markdownOf(source: string): MarkdownPage
