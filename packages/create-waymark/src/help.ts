import { templates } from './templates.ts'

/** What `--help` prints. */
export function helpText(): string {
  const width = Math.max(...templates.map(({ name }) => name.length))
  return [
    'Usage: npm create waymark@latest [folder] [-- options]',
    '',
    'Makes an app in a folder that is new or empty; . is the working directory.',
    '',
    'Templates:',
    ...templates.map(({ name, text }) => `  ${name.padEnd(width)}  ${text}`),
    '',
    'Options:',
    '  -t, --template <name>  The template. Default: minimal.',
    '  --no-install           Write the files only.',
    '  --no-git               Make no Git repository.',
    '  -y, --yes              Ask nothing; take the defaults.',
    '  --waymark <specifier>  Where Waymark comes from, such as a tarball. For tests.',
    '  -h, --help             Print this.',
    '  -v, --version          Print the version.',
    '',
    'On a terminal it asks for what is missing; else the folder has to be named.',
  ].join('\n')
}
