import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

interface CertificateTerms {
  /** As openssl takes them: `DNS:venue.example.com,IP:127.0.0.1`. */
  readonly names: string;
  readonly days: number;
}

/** Writes `privkey.pem` and a certificate that it signs itself, `fullchain.pem`, as certbot names them. */
export function makeCertificate(folder: string, { names, days }: CertificateTerms): void {
  mkdirSync(folder, { recursive: true });
  const kind = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=venue'.split(' ');
  const files = ['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')];
  const terms = ['-days', String(days), '-addext', `subjectAltName=${names}`];
  execFileSync('openssl', ['req', ...kind, ...terms, ...files], { stdio: 'ignore' });
}
