/** Where the page's words are in each language but English, by the language; `ledger/web/build.py` puts it in. */
declare const WORDS: Record<string, string>;
