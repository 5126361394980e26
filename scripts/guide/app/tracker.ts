type Report = {
  tags: Record<string, string | null>
  url: string | null
  headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

export async function connect(url: string | undefined): Promise<void> {
  console.log(url)
}

export function send(error: unknown, report: Report): void {
  console.log(error, report)
}
