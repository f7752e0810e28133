const TRACES = '/v1/traces';
const LOOPBACK = /^(?:localhost|(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Returns the address for spans, or a text for people about why there is no address and what to do. It adds the path of traces, as OTLP/HTTP clients do
 * with a base address. It refuses a name, password, query or fragment: the address is shown in many places, and secrets belong in a header.
 */
export function parseEndpoint(endpoint: string, allowPlain: boolean): { url: string } | { fault: string } {
  if (endpoint.trim() === '') return { fault: 'No collector is set. Enter its address as Endpoint.' };
  const url = URL.parse(endpoint.trim());
  if (!url || url.hostname === '')
    return { fault: 'The endpoint is not an address. Enter one such as https://collector.example:4318.' };
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return { fault: `The endpoint begins with ${url.protocol}//. Use https://, or http:// on this computer.` };
  if (url.username !== '' || url.password !== '')
    return { fault: 'The endpoint has a name or a password in it. Remove it and set an Authorization header.' };
  if (url.search !== '' || url.hash !== '')
    return { fault: 'The endpoint has a ? or # in it. Remove that part; put keys into a header.' };
  if (url.protocol === 'http:' && !allowPlain && !LOOPBACK.test(url.hostname))
    return {
      fault: `http:// is not encrypted, and ${url.hostname} is another machine. Use https://, or allow http.`,
    };
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith(TRACES) ? path : `${path}${TRACES}`;
  return { url: url.href };
}
