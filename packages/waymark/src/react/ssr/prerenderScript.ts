/**
 * Start of the only script that React's prerenderer writes, which is the last script in the body.
 */
export const prerenderScript = (idPrefix: string) => `<script id="_${idPrefix}R_"`
