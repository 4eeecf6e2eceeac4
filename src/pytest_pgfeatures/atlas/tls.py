"""Servers with TLS, and handshakes with them, for several modules of the atlas.

The certificate is self-signed. It and its key were made for these tests and serve no other purpose.
"""

import os
import socket
import struct

CERTIFICATE = """\
-----BEGIN CERTIFICATE-----
MIIEJzCCAo+gAwIBAgIUWwrHH0y4SdVwO26zqtSG5MJigSYwDQYJKoZIhvcNAQEL
BQAwFDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTIwMDA1NVoYDzIxMjYx
MDI4MjAwMDU1WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwggGiMA0GCSqGSIb3DQEB
AQUAA4IBjwAwggGKAoIBgQDBDkTU2T9syKw/hmemUkP25RH9RNeH922qw+LKL+Yy
OXvMBA5CoIhY2c6E2MzTImOVzwZo8tOCCVAVZavRe8nw+EdtUrU66EY2K+aB5oL7
LGffSl81xNf+ol1m2wTzqxlvHNVWZu+VxPkhfMz/CwVNtkLIoCAoM0mXc5n05TIS
6I9ccJdTVKVYdSV/K3lNnRKdEZeMYP7w9lgOuIEdjzjFj5rqiJr6064iz7aGoqPj
yo1VHVEp5oBKWIc+ws+425SL6OW4cdC/+dDSwwKLXFcVXDC/jGvquyQH+7j+tpnv
8ipLBuKvqE01+NOAGSr3LMMGxrExo0BKobD+Y+L0iZ2uezL0t9djSJU+QB88hWQn
PtgBvOb5zwtthSmQoSp/3+v8slSs0uqxGQF5yrdfS/i9OxdvQ3hx1AdEwi1/xKMw
NCvsnCnkVq6+heaK/y+sjnkIFnFhgE8/0HcIJxvQ0tvVsZqyA+baLAHKPBOayNgi
cJ7BogUfgU4WAvns6sRy3F8CAwEAAaNvMG0wHQYDVR0OBBYEFNCy7dWporZrjl9f
4qqvqzX6Vxk0MB8GA1UdIwQYMBaAFNCy7dWporZrjl9f4qqvqzX6Vxk0MA8GA1Ud
EwEB/wQFMAMBAf8wGgYDVR0RBBMwEYIJbG9jYWxob3N0hwR/AAABMA0GCSqGSIb3
DQEBCwUAA4IBgQAdfqX2j6b9dQ/c9otAhUSaQbyXBaj3bPjr6pXfPmcHORUnBjdD
hqJK91D+cXMZXpsWmy6PeZt5QFOZvTM0CN4Do4ILxONXXyQTEVp69ivZFpay0Vu7
1pkFjSbE7nRdyWscjBmTOxRrVt5SUHPNvuj4tJfgnfk1nv618XcNPmwy6waerwEx
ouqS4McpzzPMiicI0VKKkdNfdCVjo3hc6dOw70nvllEurvfYJdLqtnt6WH8WJ5my
2F9fRxHPYCsWMrCfzjdKxm5yrQRO0n78c1Yvz2MR4dVDVyT2kUQ1S+qghw9jcjpY
icxR/JNz0f3JXkbUYCBWxfcZttgkL14OA9iSIeuoQSAwGoRysyn93MRQ4LsKVy8G
6eJknL/bJQuFoeYteNZYltMBs8HXNWHc2HK/RrxWTxpiitDPYQXO7UdCpEPH5P5F
3zyc0JLnmSGabC1c6fNcFXi2D8vbNPKWhRGmRsOthdC4o0CLU1o5zPCgBLd+1lko
hmYvTNL+7lH05a4=
-----END CERTIFICATE-----
"""

KEY = """\
-----BEGIN PRIVATE KEY-----
MIIG/AIBADANBgkqhkiG9w0BAQEFAASCBuYwggbiAgEAAoIBgQDBDkTU2T9syKw/
hmemUkP25RH9RNeH922qw+LKL+YyOXvMBA5CoIhY2c6E2MzTImOVzwZo8tOCCVAV
ZavRe8nw+EdtUrU66EY2K+aB5oL7LGffSl81xNf+ol1m2wTzqxlvHNVWZu+VxPkh
fMz/CwVNtkLIoCAoM0mXc5n05TIS6I9ccJdTVKVYdSV/K3lNnRKdEZeMYP7w9lgO
uIEdjzjFj5rqiJr6064iz7aGoqPjyo1VHVEp5oBKWIc+ws+425SL6OW4cdC/+dDS
wwKLXFcVXDC/jGvquyQH+7j+tpnv8ipLBuKvqE01+NOAGSr3LMMGxrExo0BKobD+
Y+L0iZ2uezL0t9djSJU+QB88hWQnPtgBvOb5zwtthSmQoSp/3+v8slSs0uqxGQF5
yrdfS/i9OxdvQ3hx1AdEwi1/xKMwNCvsnCnkVq6+heaK/y+sjnkIFnFhgE8/0HcI
JxvQ0tvVsZqyA+baLAHKPBOayNgicJ7BogUfgU4WAvns6sRy3F8CAwEAAQKCAYBB
eCZNjHMe4BrR3DGwTLuxsdNc8YiqGnW9cHqrmHzXUXkzIbj4TVqPzyVjFea4PzRI
bJG+64Jg2emnp/gRrYo5RulqIJ9HH9gXrOGZ8eM/bLq5FY6ePGgHeWZ1aBcQz1hr
vvp2N6hOQSM/gQRABavBw+p4AR2GpIXzb4epbkSB9w4PCju3TcBY9DlIHCUh9f+G
9p1PROGQM+p+64EV1ikpjl655KOyJjEqqwg6NlOf/2PYln2c2QdurwEGfqhVB1mN
FL4uGnr5Y9UlNBaqI6GpzuJ2vqtmFMRQqtqXBB1ZU5YCeA9jlfsAXjTmxaCVT8ap
Atk9VocfgiycxCKzEgN7H/8VJZaZLfkf2kD2OglVnU1kKIbLIXfSzAgm1C3KyXiu
ydpU7itdT7INItPQNtlI9sIadyN01vdh8S2NvynouMLFtTHSLXfj74PITmrHx00k
AGfO19BIX4bcWb7tKd/oTR2qf8KEbrpnLBerel6cLlG3EqWajkIGNuDUa331MgEC
gcEA5Lt8Q2wVJn00NFSw9de7CHsw9u81SEQbk25RdFKl71IeTmJ3ZlPv9nwxPqB+
zMNK7EmHf6tBjU4hU40rmNvYI71RYjuvBT4VSLQNObQ8FQIDKmffCp6rcPGGlgDt
Xcn9qB4KebmACOXfrbRwVk1Q5ptIsGLYsw/byL5fIMY8HGf7X/Ep8IDQbGLn4qnS
PnHz+Vi66bVIo3tmP8hc7eRwvjsvQk0M1G1FgULHtqiFE9K5DqazazRcgDCuWWX4
JUNfAoHBANgR/qinCa90c1MM//jxW8tyebY9j8eWXtboS2ETpy4Z6MkYjQRRThjZ
6HM5uDEWr4KcYBJ5UfXyvw4tfeDNVnGgMgcXVrKajCXXEeD2x/zIYPKWBO6TUeV4
3jtp/aG4RKXBgqSe1SzV09dvJ8AQKHfiMyZ77f2y5qaL5GgtZAydJGRad6wPWGPQ
IivckZ5TwI8Y/O+FdrrtgtFe4XRmyVWgwySklUEhxiJzNfESmtWcvC6Gjyo9ngki
iHLKckoHAQKBwEWziFt3XT6cWsMzp7VS5zDfcX1eSata7dhQfsvmv6AdMxUJ1n69
R1uiXtNJzzoQrQ0yHvNduZ0Y2PkABPAQ1l2VvG4l5+C+GXhNPdZ+wOxZ76MFgidX
UMEbKLsfTzYMbprDhMexKn4LpszlNnJmHygW2+C8TnLKe1xB/vUa04iIe0ayU+hx
KJJO1YDx5RqYWRN74YGEd70xxmfbY84uldiyamVW23kET3Dja76SvfLbfP8k93nM
u/9oVkjx1NtuGwKBwBoMiVQR10QU2PZxQcbkajmr0mqbH2NjiImGNdg9Q1F2hC8C
S7Xyi2TJmJGTqtYYMw6fBaIUiEILgucVqvBYMQy/0Gg0cxpTMYQ6WohxmAisq6tz
VKLileQBX2FwVMiTa4tEOhjYoUCngsOdPgCUshxJ4/rGxBlq4Q3BHcdFeaNfqoyC
r5zJuNFHvWbmT5Pz6uoVjCDgSUEd80CEnM+ouKsfF4eqY+gXR0jN9PncUVhhbfp5
9HaWOSBGzoZwS7kLAQKBwFsh1d4Yer400Q1EK1ahmNDr3s5dGMQEg7bubBBlR66M
nSuWbIz6AZBmNjfDLh06JAePF7EIjFU47OGfEUCnfrS11/qnRfltma6bPTjSeaFI
iwAEGQjpHfPn7hyno85AEEMgnzkFr+XiNsmCW4f/+Abw/kSYScrhp8ECt45HT52I
J/sMbw9JO6sSQzxFlihw2eA9tDUSL3U6het+HjH/anjPc+6E89VRvgnXiiPGXgow
unmnfqeMxBClnAGqrZa/VA==
-----END PRIVATE KEY-----
"""

DH_3072 = """\
-----BEGIN DH PARAMETERS-----
MIIBiAKCAYEA///////////JD9qiIWjCNMTGYouA3BzRKQJOCIpnzHQCC76mOxOb
IlFKCHmONATd75UZs806QxswKwpt8l8UN0/hNW1tUcJF5IW1dmJefsb0TELppjft
awv/XLb0Brft7jhr+1qJn6WunyQRfEsf5kkoZlHs5Fs9wgB8uKFjvwWY2kg2HFXT
mmkWP6j9JM9fg2VdI9yjrZYcYvNWIIVSu57VKQdwlpZtZww1Tkq8mATxdGwIyhgh
fDKQXkYuNs474553LBgOhgObJ4Oi7Aeij7XFXfBvTFLJ3ivL9pVYFxg5lUl86pVq
5RXSJhiY+gUQFXKOWoqqxC2tMxcNBFB6M6hVIavfHLpk7PuFBFjb7wqK6nFXXQYM
fbOXD4Wm4eTHq/WujNsJM9cejJTgSiVhnc7j0iYa0u5r8S/6BtmKCGTYdgJzPshq
ZFIfKxgXeyAMu+EXV3phXWx3CYjAutlG4gjiT6B05asxQ9tb/OD9EI5LgtEgqTrS
yv//////////AgEC
-----END DH PARAMETERS-----
"""
"""A group of 3072 bits: RFC 3526, group 15."""

SSL_REQUEST = struct.pack("!ii", 8, 80877103)
"""https://www.postgresql.org/docs/current/protocol-message-formats.html"""


def certificate(lab):
    """Return the settings that let a new server of the lab's version accept TLS connections."""
    return {"ssl": True} | {
        f"ssl_{kind}_file": str(give(lab.cluster, lab.cluster.datadir.with_name(f"server.{kind}"), text))
        for kind, text in {"cert": CERTIFICATE, "key": KEY}.items()
    }


def give(cluster, path, text):
    """Write a file that only the server's account may read, unless the file exists."""
    if not path.exists():
        owner = cluster.datadir.stat()
        path.touch(mode=0o600)
        path.write_text(text)
        os.chown(path, owner.st_uid, owner.st_gid)
    return path


def server_with_tls(lab, **settings):
    """Create a server that accepts TLS connections on a port of 127.0.0.1.

    Parameters:
        settings: further settings of the server.
    """
    return lab.create_pg("tls", tcp=True, settings=certificate(lab) | settings)


def handshake(node, *, ciphers, level):
    """Try a TLS 1.2 handshake with a server. Return ``accepted``, or the client's reason to refuse.

    Parameters:
        ciphers: as OpenSSL names them.
        level: OpenSSL's security level; 2 refuses keys of fewer than 2048 bits, 3 of fewer than 3072.
    """
    import ssl  # late: delta imports all modules of the atlas, and doesn't need their libraries

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    context.set_ciphers(f"{ciphers}:@SECLEVEL={level}")
    with socket.create_connection(("127.0.0.1", node.cluster.port), timeout=60) as plain:
        plain.sendall(SSL_REQUEST)
        if plain.recv(1) != b"S":
            return "no TLS"
        try:
            with context.wrap_socket(plain):
                outcome = "accepted"
        except ssl.SSLError as error:
            outcome = str(error.reason)
    node.remark(f"a TLS handshake with {ciphers} at security level {level}: {outcome}")
    return outcome
